import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

const ROOT = path.join(__dirname, '..', '..', '..', '..');
const PROGRAM = require.resolve('./slow-linker.ts');

/** `slow-linker.ts` in a process of its own. */
export interface SlowLinker {
  /** Resolves when it has said the word. */
  said(word: 'ready' | 'linking' | 'linked'): Promise<void>;
  hasSaid(word: 'ready' | 'linking' | 'linked'): boolean;
  /** Lets it go on behind `linking`. */
  release(): void;
  /** SIGKILL. */
  kill(): Promise<void>;
}

export function startSlowLinker(queueUrl: string, writerUrl: string): SlowLinker {
  const argv = ['--conditions=@perdure/source', '--require', path.join(ROOT, 'jest.source-hook.cjs'), PROGRAM];
  const child = spawn(process.execPath, [...argv, queueUrl, writerUrl], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  let output = '';
  child.stdout.on('data', (chunk) => (output += String(chunk)));
  const hasSaid = (word: string) => output.split('\n').includes(word);
  return {
    hasSaid,
    said: async (word) => {
      while (!hasSaid(word)) {
        const [event] = await Promise.race([once(child.stdout, 'data'), ended.then(() => ['ended'])]);
        if (event === 'ended' && !hasSaid(word)) throw new Error(`the slow linker ended before it was ${word}`);
      }
    },
    release: () => child.stdin.write('\n'),
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
