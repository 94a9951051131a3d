import { createHash } from 'node:crypto';
import { jcsText } from '@perdure/audit-chain';
import { DomainError } from '@perdure/contracts';

/** The place after the last item of a page: the values of the list's sort key. */
export type PageKey = readonly (string | number)[];

interface CursorOf {
  readonly operation: string;
  readonly workspaceId: string;
  /** The arguments without `limit` and `cursor`: a cursor holds for the list and the filters that made it. */
  readonly input: Readonly<Record<string, unknown>>;
}

/** Writes the cursors of one list: opaque to callers, with a fingerprint of the list, its filters and the workspace. */
export function cursorsOf(of: CursorOf): (key: PageKey) => string {
  const own = fingerprint(of);
  return (key) => Buffer.from(JSON.stringify([own, ...key])).toString('base64url');
}

/** @throws DomainError `invalid_cursor` when it is not a cursor of this list with these filters in this workspace */
export function decodeCursor(of: CursorOf, cursor: string | undefined): PageKey | null {
  if (cursor === undefined) return null;
  const parts = parse(cursor);
  if (parts === null || parts[0] !== fingerprint(of)) {
    throw new DomainError('invalid_cursor', 'The cursor is not one of this list with these filters.');
  }
  return parts.slice(1);
}

function parse(cursor: string): (string | number)[] | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (!Array.isArray(value)) return null;
    const isKeyPart = (part: unknown): part is string | number =>
      typeof part === 'string' || Number.isSafeInteger(part);
    return value.every(isKeyPart) ? value : null;
  } catch {
    return null;
  }
}

function fingerprint({ operation, workspaceId, input }: CursorOf): string {
  const { limit: _limit, cursor: _cursor, ...filters } = input;
  const text = jcsText(JSON.parse(JSON.stringify([operation, workspaceId, filters])));
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}
