import { AsyncLocalStorage } from 'node:async_hooks';

/** What every line logged inside one request or one piece of work carries. */
export interface LogContext {
  request_id?: string;
  workspace_id?: string;
}

const storage = new AsyncLocalStorage<LogContext>();

/** Runs `work` with these fields on every line that is logged in it, however deep. */
export function withLogContext<Result>(context: LogContext, work: () => Result): Result {
  return storage.run({ ...storage.getStore(), ...context }, work);
}

/** Adds fields to the running context, for what becomes known later: the workspace, once the credential was read. */
export function addLogContext(fields: LogContext): void {
  const current = storage.getStore();
  if (current) Object.assign(current, fields);
}

/** The fields of the running context; empty outside of one. */
export function currentLogContext(): LogContext {
  return storage.getStore() ?? {};
}
