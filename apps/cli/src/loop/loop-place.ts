import { catalogue } from '@perdure/contracts';
import { openLoopFile, type LoopFile } from '@perdure/loop-file';
import { readWorkplace, remoteIdentity, type Workplace } from '@perdure/workplace';
import { readSettings, type Settings } from '../config/settings.js';
import { CommandFailure, EXIT } from '../exit-status.js';
import { callOperation, type Arguments } from '../rest/call-operation.js';
import { serverAddress, type Environment, type ServerAddress } from '../rest/server-address.js';

/** Where a loop runs: its checkout, its file and, when one is configured, its server. */
export interface LoopPlace {
  readonly workplace: Workplace;
  readonly settings: Settings;
  readonly file: LoopFile;
}

/** @throws CommandFailure outside git: a loop belongs to a branch, and none is guessed */
export async function openLoopPlace(folder: string, env: Environment): Promise<LoopPlace> {
  const workplace = await readWorkplace(folder);
  if (workplace === null) {
    throw new CommandFailure(EXIT.usage, `${folder} is in no git repository: a loop belongs to a branch of a project.`);
  }
  const settings = await readSettings(folder, env);
  return { workplace, settings, file: openLoopFile(workplace.root, { limits: settings.loop }) };
}

/** How long the test step waits for the server; its measurement is in the file by then. */
const SERVER_MS = 5_000;

/** The server with that credential, or null where none is configured. */
export function loopServer({ settings }: LoopPlace, token: string | undefined): ServerAddress | null {
  if (settings.url === undefined || token === undefined) return null;
  return serverAddress({ PERDURE_URL: settings.url, PERDURE_TOKEN: token });
}

type LoopOperation = (typeof catalogue.loop)[keyof typeof catalogue.loop];

/** Calls an operation on this loop. @throws CommandFailure as the server refuses, or when it is away */
export async function callOnLoop(
  server: ServerAddress,
  { workplace, settings }: LoopPlace,
  contract: LoopOperation,
  input: Arguments = {},
): Promise<Readonly<Record<string, unknown>>> {
  // A measurer may not read projects: where an agent's credential stands beside it, that one is asked.
  const reader = settings.token === undefined ? server : { ...server, token: settings.token };
  const project = settings.project ?? (await projectOf(reader, workplace));
  const loop = { project, branch: workplace.branch, loop: settings.loop.name };
  return call(server, contract, { ...loop, ...input });
}

/** The project one of whose repositories is the remote of this checkout. */
async function projectOf(server: ServerAddress, { remote, root }: Workplace): Promise<string> {
  const contract = catalogue.projects.listProjects;
  let cursor: unknown;
  do {
    const page = await call(server, contract, { limit: 200, ...(typeof cursor === 'string' && { cursor }) });
    const { items, next_cursor } = contract.output.parse(page);
    const found = items.find(({ repository_urls }) => repository_urls.some((url) => remoteIdentity(url) === remote));
    if (found !== undefined && remote !== null) return found.id;
    cursor = next_cursor;
  } while (typeof cursor === 'string');
  throw new CommandFailure(
    EXIT.usage,
    `No project has the repository of ${root}. Name it in perdure.json ("project": its slug), or add the repository's url to a project.`,
  );
}

async function call(
  server: ServerAddress,
  contract: Parameters<typeof callOperation>[1]['contract'],
  input: Arguments,
): Promise<Readonly<Record<string, unknown>>> {
  const { output } = await callOperation(server, { contract, input, idempotencyKey: undefined, timeoutMs: SERVER_MS });
  return output ?? {};
}
