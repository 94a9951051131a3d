// Starts what the tests share (libs/testkit/src/test-services.ts) in a process of its own and hands its addresses to the
// workers through the environment. That process ends when its stdin closes: on teardown, and when jest itself is killed.
const { spawn } = require('node:child_process');
const path = require('node:path');

const ENTRY = path.join(__dirname, 'libs', 'testkit', 'src', 'test-services.ts');

const firstLine = (child) =>
  new Promise((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += chunk;
      if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')));
    });
    child.once('exit', (code) => reject(new Error(`The test services did not start (exit ${code}); see above.`)));
  });

module.exports = async () => {
  // From the sources, so that a test never meets the migrations of an older build.
  const argv = ['--conditions=@perdure/source', '--require', path.join(__dirname, 'jest.source-hook.cjs'), ENTRY];
  const child = spawn(process.execPath, argv, { cwd: __dirname, stdio: ['pipe', 'pipe', 'inherit'] });
  process.env.PERDURE_TEST_SERVICES = await firstLine(child);
  globalThis.perdureTestServices = child;
};
