/** What an event is called by the clients, lower case without hyphens, and what it is here. */
const EVENTS = new Map<string, HookEvent>([
  ['sessionstart', 'session-start'],
  ['pretooluse', 'pre-tool-use'],
  ['beforetool', 'pre-tool-use'],
  ['beforeshellexecution', 'pre-tool-use'],
]);

export type HookEvent = 'session-start' | 'pre-tool-use';

/** By the verb of the command line or the client's own spelling; null for an event that is not handled. */
export const hookEvent = (name: string): HookEvent | null =>
  EVENTS.get(name.toLowerCase().replaceAll(/[-_]/g, '')) ?? null;
