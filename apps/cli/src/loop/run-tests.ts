import { spawn } from 'node:child_process';
import os from 'node:os';
import { CommandFailure, EXIT } from '../exit-status.js';

export interface TestOutput {
  /** As a shell gives it: 128 and the signal's number for a command that a signal ended. */
  readonly status: number;
  /** Both streams as they came; of a very long output the beginning and the end. */
  readonly text: string;
}

/** Failures stand at the end, what would not compile at the beginning. */
const KEPT_BYTES = 8 * 1024 * 1024;

/** Runs the test command in this folder; what it prints goes on to `into` while it runs. */
export async function runTests(
  command: readonly string[],
  folder: string,
  into: { readonly stdout: NodeJS.WritableStream; readonly stderr: NodeJS.WritableStream },
): Promise<TestOutput> {
  const [program, ...argv] = command;
  if (program === undefined) {
    throw new CommandFailure(
      EXIT.usage,
      'Which tests? Give the command after --, such as: perdure loop measure -- npm test',
    );
  }
  const output = new KeptOutput();
  const child = spawn(program, argv, { cwd: folder, stdio: ['inherit', 'pipe', 'pipe'] });
  child.stdout.on('data', (chunk: Buffer) => (output.add(chunk), into.stdout.write(chunk)));
  child.stderr.on('data', (chunk: Buffer) => (output.add(chunk), into.stderr.write(chunk)));
  // A terminal's ^C reaches the tests too: they end, and what they did is measured.
  const ignore = () => undefined;
  process.on('SIGINT', ignore);
  try {
    const status = await new Promise<number>((resolve, reject) => {
      child.on('error', (error) =>
        reject(new CommandFailure(EXIT.usage, `${program} cannot be run: ${error.message}`)),
      );
      child.on('close', (code, signal) => resolve(code ?? 128 + (signal === null ? 0 : os.constants.signals[signal])));
    });
    return { status, text: output.text() };
  } finally {
    process.off('SIGINT', ignore);
  }
}

class KeptOutput {
  private readonly head: Buffer[] = [];
  private tail: Buffer[] = [];
  private headBytes = 0;
  private tailBytes = 0;

  add(chunk: Buffer): void {
    if (this.headBytes < KEPT_BYTES) {
      this.head.push(chunk);
      this.headBytes += chunk.length;
      return;
    }
    this.tail.push(chunk);
    this.tailBytes += chunk.length;
    while (this.tailBytes - (this.tail[0]?.length ?? 0) > KEPT_BYTES) {
      this.tailBytes -= this.tail[0]?.length ?? 0;
      this.tail = this.tail.slice(1);
    }
  }

  text(): string {
    return Buffer.concat([...this.head, ...this.tail]).toString();
  }
}
