import type { catalogue } from '@perdure/contracts';
import { openLoopFile, type LoopFile } from '@perdure/loop-file';
import { callWithin, openPlace, projectOf, type Place } from '../place/place.js';
import type { Arguments } from '../rest/call-operation.js';
import type { Environment, ServerAddress } from '../rest/server-address.js';

/** Where a loop runs: a checkout and its file. */
export interface LoopPlace extends Place {
  readonly file: LoopFile;
}

/** @throws CommandFailure outside git: a loop belongs to a branch, and none is guessed */
export async function openLoopPlace(folder: string, env: Environment): Promise<LoopPlace> {
  const place = await openPlace(folder, env);
  return { ...place, file: openLoopFile(place.workplace.root, { limits: place.settings.loop }) };
}

/** How long the test step waits for the server. */
const SERVER_MS = 5_000;

type LoopOperation = (typeof catalogue.loop)[keyof typeof catalogue.loop];

/** Calls an operation on this loop. @throws CommandFailure as the server refuses, or when it is away */
export async function callOnLoop(
  server: ServerAddress,
  place: LoopPlace,
  contract: LoopOperation,
  input: Arguments = {},
): Promise<Arguments> {
  const { settings, workplace } = place;
  // A measurer may not read projects: where an agent's credential stands beside it, that one is asked.
  const reader = settings.token === undefined ? server : { ...server, token: settings.token };
  const project = await projectOf(place, reader, SERVER_MS);
  const loop = { project, branch: workplace.branch, loop: settings.loop.name };
  return callWithin(SERVER_MS, server, contract, { ...loop, ...input });
}
