import { catalogue } from '@perdure/contracts';
import { readWorkplace, remoteIdentity, type Workplace } from '@perdure/workplace';
import { CommandFailure, EXIT } from '../exit-status.js';
import { callOperation, type Arguments, type Call } from '../rest/call-operation.js';
import { serverAddress, type Environment, type ServerAddress } from '../rest/server-address.js';
import { readSettings, type Settings } from './settings.js';

/** A checkout, and what its configuration says. */
export interface Place {
  readonly workplace: Workplace;
  readonly settings: Settings;
}

/** @throws CommandFailure outside git, where project and branch would be a guess, or when a file of settings is wrong */
export async function openPlace(folder: string, env: Environment): Promise<Place> {
  const workplace = await readWorkplace(folder);
  if (workplace === null) {
    const next = 'Which project is this? Work in a clone of its repository';
    throw new CommandFailure(EXIT.usage, `${folder} is in no git repository. ${next}.`);
  }
  return { workplace, settings: await readSettings(folder, env) };
}

/** The configured server with a credential, or null where either is missing. */
export function serverOf({ url }: Settings, token: string | undefined): ServerAddress | null {
  if (url === undefined || token === undefined) return null;
  return serverAddress({ PERDURE_URL: url, PERDURE_TOKEN: token });
}

/** Calls one operation, for at most that long. @throws CommandFailure as the server refuses, or when it is away */
export async function callWithin(
  timeoutMs: number,
  server: ServerAddress,
  contract: Call['contract'],
  input: Arguments,
): Promise<Arguments> {
  const { output } = await callOperation(server, { contract, input, idempotencyKey: undefined, timeoutMs });
  return output ?? {};
}

/** The configured project, else the one that has the remote of this checkout among its repositories. */
export async function projectOf(
  { settings, workplace }: Place,
  server: ServerAddress,
  timeoutMs: number,
): Promise<string> {
  if (settings.project !== undefined) return settings.project;
  const contract = catalogue.projects.listProjects;
  let cursor: string | undefined;
  do {
    const input = { limit: 200, ...(cursor !== undefined && { cursor }) };
    const { items, next_cursor } = contract.output.parse(await callWithin(timeoutMs, server, contract, input));
    const found = items.find(({ repository_urls }) =>
      repository_urls.some((url) => remoteIdentity(url) === workplace.remote),
    );
    if (found !== undefined && workplace.remote !== null) return found.id;
    cursor = next_cursor ?? undefined;
  } while (cursor !== undefined);
  throw new CommandFailure(
    EXIT.usage,
    `No project has the repository of ${workplace.root}. Name it in perdure.json ("project": its slug), or add the repository's url to a project.`,
  );
}
