import { CommandFailure, EXIT } from '../exit-status.js';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface ServerAddress {
  /** Without a trailing slash. */
  readonly url: string;
  readonly token: string;
}

/** Where the api is and with which credential it is asked. @throws CommandFailure naming what is missing */
export function serverAddress(env: Environment): ServerAddress {
  const url = env['PERDURE_URL'] ?? '';
  const token = env['PERDURE_TOKEN'] ?? '';
  const missing = [
    ...(url === '' ? ['PERDURE_URL, where the api is, such as http://127.0.0.1:7400'] : []),
    ...(token === '' ? ['PERDURE_TOKEN, a credential such as platform_token of .perdure/stack.json'] : []),
  ];
  if (missing.length > 0) throw new CommandFailure(EXIT.usage, `Not set: ${missing.join('; ')}.`);
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new CommandFailure(EXIT.usage, 'PERDURE_URL is no http or https url.');
  }
  return { url: url.replace(/\/+$/, ''), token };
}
