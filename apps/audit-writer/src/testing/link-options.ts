import type { LinkOptions } from '../link-pending.js';

/** A batch as the writer's drain takes it at its start. */
export const LINK_OPTIONS: LinkOptions = {
  maxWorkspaces: 200,
  maxEvents: 1000,
  clock: () => new Date().toISOString(),
  after: '',
  alone: new Set(),
};
