import path from 'node:path';
import { build } from 'esbuild';

it('L5: what a hook bundles holds no schema library and no contract of an operation', async () => {
  const { metafile } = await build({
    entryPoints: [path.join(__dirname, 'index.ts')],
    absWorkingDir: path.join(__dirname, '../../..'),
    bundle: true,
    platform: 'node',
    conditions: ['@perdure/source'],
    write: false,
    metafile: true,
    outfile: 'hook.js',
  });
  const inputs = Object.values(metafile.outputs).flatMap((output) =>
    Object.entries(output.inputs).flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? [file] : [])),
  );
  const contracts = inputs.filter((file) => file.startsWith('libs/contracts/'));
  expect(contracts.map((file) => path.basename(file)).sort()).toEqual([
    'errors.ts',
    'index.ts',
    'loop-rules.ts',
    'text.ts',
  ]);
  // re2js is the guard's, loaded when a text is new to the file.
  expect(new Set(inputs.flatMap((file) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? []))).toEqual(
    new Set(['re2js']),
  );
});
