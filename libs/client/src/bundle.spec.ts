import path from 'node:path';
import { bundleExample } from './testing/example-program.js';

it('T1: the bundle of a tool holds no code of the server: types are all it takes from there', async () => {
  const { inputs, close } = await bundleExample();
  const packages = [
    ...new Set(inputs.map((file) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? path.dirname(file))),
  ];
  // No express, typeorm, pg, bullmq, zod; no contracts, operations, trpc of ours. @trpc/client takes its observables from
  // the package of the server.
  expect(packages.sort()).toEqual(['@trpc/client', '@trpc/server', 'docs/examples', 'libs/client/src']);
  expect(inputs.filter((file) => /@trpc\/server\/.*(?:adapters|http|node)/.test(file))).toEqual([]);
  close();
});
