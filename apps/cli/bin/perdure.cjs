#!/usr/bin/env node
// What npm links as `perdure`: it is there before the build is.
const { existsSync } = require('node:fs');
const path = require('node:path');

const built = path.join(__dirname, '..', 'dist', 'main.js');
if (existsSync(built)) {
  require(built)
    .main(process.argv.slice(2))
    .then((status) => {
      process.exitCode = status;
    });
} else {
  process.stderr.write('perdure is not built yet: run `npm run build` in the repository.\n');
  process.exitCode = 1;
}
