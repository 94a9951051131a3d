import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';

const ROOT = path.join(__dirname, '..', '..', '..');
const PROGRAM = require.resolve('./identity-provider-process.ts');

/** `identity-provider-process.ts`, running. */
export interface TestIdentityProvider {
  readonly issuer: string;
  readonly expect: (redirectUri: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

export async function testIdentityProvider(): Promise<TestIdentityProvider> {
  const argv = ['--conditions=@perdure/source', '--require', path.join(ROOT, 'jest.source-hook.cjs'), PROGRAM];
  const child = spawn(process.execPath, argv, { stdio: ['pipe', 'pipe', 'ignore'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const line = async () => String((await lines.next()).value);
  const issuer = await line();
  return {
    issuer,
    expect: async (redirectUri) => {
      child.stdin.write(`${redirectUri}\n`);
      if ((await line()) !== 'ready') throw new Error('the identity provider of the tests did not start');
    },
    close: async () => {
      child.stdin.end();
      await once(child, 'exit');
    },
  };
}
