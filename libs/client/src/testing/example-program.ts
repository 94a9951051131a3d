import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';

const REPOSITORY = path.join(__dirname, '../../../..');

export interface ExampleProgram {
  /** Files that left code in the bundle, from the repository's root. */
  readonly inputs: readonly string[];
  readonly bytes: number;
  /** Runs it as a tool is run: in a process of its own, with nothing but its environment. */
  readonly run: (
    args: readonly string[],
    env: Readonly<Record<string, string>>,
  ) => Promise<{ status: number; stdout: string; stderr: string }>;
  readonly close: () => void;
}

/** docs/examples/internal-tool.ts, bundled as the author of such a tool would. */
export async function bundleExample(): Promise<ExampleProgram> {
  const folder = mkdtempSync(path.join(tmpdir(), 'perdure-client-'));
  const program = path.join(folder, 'internal-tool.js');
  const { metafile } = await build({
    entryPoints: ['docs/examples/internal-tool.ts'],
    absWorkingDir: REPOSITORY,
    outfile: program,
    bundle: true,
    platform: 'node',
    conditions: ['@perdure/source'],
    metafile: true,
    logLevel: 'error',
  });
  const [output] = Object.values(metafile.outputs);
  const inputs = Object.entries(output?.inputs ?? {});
  return {
    inputs: inputs.flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? [file] : [])),
    bytes: output?.bytes ?? 0,
    run: (args, env) =>
      new Promise((resolve) => {
        const child = execFile(process.execPath, [program, ...args], { env }, (_error, stdout, stderr) =>
          resolve({ status: child.exitCode ?? -1, stdout, stderr }),
        );
      }),
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}
