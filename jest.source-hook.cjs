// `node --require`: runs TypeScript sources as jest does. Used where a program must see them outside of a test.
const { readFileSync } = require('node:fs');
const Module = require('node:module');
const { transformSync } = require('@swc/core');
const { swcOptions } = require('./jest.swc-options.cjs');

const resolve = Module._resolveFilename;

// Sources import each other as `./x.js`, the name after the build.
Module._resolveFilename = function resolveSource(request, parent, ...rest) {
  const fromSource = request.startsWith('.') && request.endsWith('.js') && parent?.filename?.endsWith('.ts');
  if (!fromSource) return resolve.call(this, request, parent, ...rest);
  return resolve.call(this, `${request.slice(0, -'.js'.length)}.ts`, parent, ...rest);
};

Module._extensions['.ts'] = (module, filename) => {
  const { code } = transformSync(readFileSync(filename, 'utf8'), { ...swcOptions, filename, swcrc: false });
  module._compile(code, filename);
};
