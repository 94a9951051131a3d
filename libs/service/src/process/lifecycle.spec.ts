import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import path from 'node:path';

const ROOT = path.join(__dirname, '..', '..', '..', '..');
const PROGRAM = require.resolve('../testing/process-under-test.ts');

/** The program in a process of its own, from its sources. */
function start(...scenario: string[]) {
  const argv = ['--conditions=@perdure/source', '--require', path.join(ROOT, 'jest.source-hook.cjs'), PROGRAM];
  const env = { PATH: process.env['PATH'], PERDURE_DATABASE_URL: 'mysql://app:s3cret@db/x', PERDURE_HTTP_PORT: 'x' };
  const child = spawn(process.execPath, [...argv, ...scenario], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  const ended = once(child, 'exit').then(([code]) => ({ code: code as number | null, output })); // the event's first argument
  const said = async (text: string) => {
    while (!output.includes(`${text}\n`)) await once(child.stdout, 'data');
  };
  return { child, ended, said };
}

/** Starts, sends SIGTERM when it is ready, and tells how it ended. */
async function stopped(scenario: string, signal: NodeJS.Signals = 'SIGTERM') {
  const { child, ended, said } = start(scenario);
  await said('ready');
  child.kill(signal);
  return ended;
}

describe('runProcess', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('O5: on %s stops in reverse order and ends with 0', async (signal) => {
    const { code, output } = await stopped('plain', signal);
    expect(code).toBe(0);
    expect(output.indexOf('server closed')).toBeLessThan(output.indexOf('pool closed, draining true'));
    expect(output).toContain('"msg":"started"');
  });

  it.each(['hanging-step', 'failing-step'])(
    'O5: a %s does not hold up the others, and the code is 1',
    async (scenario) => {
      const { code, output } = await stopped(scenario);
      expect(code).toBe(1);
      expect(output).toContain('pool closed');
      expect(output).toContain('a step of stopping failed');
    },
  );

  it('O5: a second signal ends it at once with 1', async () => {
    const { child, ended, said } = start('slow-step');
    await said('ready');
    child.kill('SIGTERM');
    await said('stopping');
    child.kill('SIGTERM');
    const { code, output } = await ended;
    expect(code).toBe(1);
    expect(output).not.toContain('pool closed');
  });

  it.each(['rejection', 'fail', 'start-fails'])('ends in order with 1 and a log line after: %s', async (scenario) => {
    const { code, output } = await start(scenario).ended;
    expect(code).toBe(1);
    expect(output).toContain('"level":"fatal"');
    expect(output).toContain('server closed');
    expect(output).not.toContain('s3cret');
  });

  it('O7: a wrong configuration ends it with 78 and one line per problem', async () => {
    const { code, output } = await start('config').ended;
    expect(code).toBe(78);
    expect(output).toContain(
      'The configuration has 2 problems:\n  PERDURE_DATABASE_URL: "mysql://app:***@db/x"; expected',
    );
    expect(output).toContain('\n  PERDURE_HTTP_PORT: "x"; expected a port number');
    expect(output).not.toContain('s3cret');
  });

  it('a taken port ends it with 1 and says what to do', async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    const address = holder.address();
    const port = address !== null && typeof address === 'object' ? address.port : 0;
    const { code, output } = await start('port', String(port)).ended;
    expect(code).toBe(1);
    expect(output).toContain(`port ${port} of 127.0.0.1 is taken by another process: stop it or set PERDURE_HTTP_PORT`);
    holder.close();
  });
});
