import { readFile } from 'node:fs/promises';
import { catalogue, type LastMeasured } from '@perdure/contracts';
import { failingSignature, type FailingSignature } from '@perdure/failing-signature';
import { LOOP_FILE, type RecordedMeasurement } from '@perdure/loop-file';
import { contentHash } from '@perdure/workplace';
import { CommandFailure, EXIT } from '../exit-status.js';
import type { Terminal } from '../admin/operation-command.js';
import { serverOf } from '../place/place.js';
import { callOnLoop, openLoopPlace, type LoopPlace } from './loop-place.js';
import { runTests } from './run-tests.js';

export interface MeasureOptions {
  readonly json?: boolean;
  readonly signatureOf?: string;
  readonly exitStatus?: number;
}

/** The file, its lock and its scratch files are the measurement, not what is measured. */
const isLoopFile = (file: string): boolean => file.startsWith(LOOP_FILE);

/** Derives the signature of a saved output; runs and writes nothing. */
export async function showSignatureOf(file: string, options: MeasureOptions, terminal: Terminal): Promise<void> {
  const output = await readFile(file, 'utf8').catch((error: Error) => {
    throw new CommandFailure(EXIT.usage, `${file} cannot be read: ${error.message}`);
  });
  const found = failingSignature(output, options.exitStatus === undefined ? {} : { status: options.exitStatus });
  const { failing_signature, failing_test } = printed(found);
  const text = options.json
    ? JSON.stringify({ failing_signature, failing_test })
    : (failing_signature ?? 'Tests pass.');
  terminal.stdout.write(`${text}\n`);
}

/**
 * L3: runs the tests, and writes what they say into the loop file and to the server.
 *
 * @returns the tests' status, or `noProgress` when the same failure was measured too often on the same content
 */
export async function measure(
  command: readonly string[],
  options: MeasureOptions,
  folder: string,
  terminal: Terminal,
): Promise<number> {
  const place = await openLoopPlace(folder, terminal.env);
  const { root } = place.workplace;
  const { stdout, stderr } = terminal;
  const run = await runTests(command, folder, { stdout: options.json ? stderr : stdout, stderr });
  const found = failingSignature(run.text, { status: run.status, root });
  const diff_hash = await contentHash(root, { except: isLoopFile });
  if (diff_hash === null) throw new CommandFailure(EXIT.usage, `git cannot list the files of ${root}.`);
  const { work, no_progress, warnings } = await record(
    place,
    { failing_signature: found.signature, diff_hash },
    terminal,
  );
  for (const { message } of warnings) stderr.write(`${message}\n`);
  const { unchanged } = work;
  if (options.json) stdout.write(`${JSON.stringify({ ...printed(found), diff_hash, unchanged, no_progress })}\n`);
  if (!no_progress) return run.status;
  stderr.write(
    `No progress: the same failure on the same files, ${unchanged + 1} times. ${found.signature ?? ''}\n` +
      'Another approach or a person is needed; `perdure loop reset --reason …` begins anew.\n',
  );
  return EXIT.noProgress;
}

const printed = ({ signature, failingTests }: FailingSignature) => ({
  failing_signature: signature,
  failing_test: signature === null ? null : failingTests.map(({ file, names }) => ({ file, name: names })),
});

type Measured = { readonly failing_signature: string | null; readonly diff_hash: string };

/** The server's work half outlives this checkout, so its count goes before the file's; without it the file counts. */
async function record(place: LoopPlace, measured: Measured, { stderr }: Terminal): Promise<RecordedMeasurement> {
  const server = serverOf(place.settings, place.settings.measurerToken ?? place.settings.token);
  if (server === null) return place.file.recordMeasurement(measured);
  try {
    const contract = catalogue.loop.recordLoopMeasurement;
    const { work } = contract.output.parse(await callOnLoop(server, place, contract, measured));
    return await place.file.takeWork(lastMeasured(work));
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    stderr.write(`Measured in ${LOOP_FILE} alone: ${error.message.replaceAll('\n', ' ')}\n`);
    return place.file.recordMeasurement(measured);
  }
}

const lastMeasured = ({ failing_signature, diff_hash, unchanged }: LastMeasured): LastMeasured => ({
  failing_signature,
  diff_hash,
  unchanged,
});
