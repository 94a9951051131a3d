import { type AuditEntryObject, catalogue, type InputOf } from '@perdure/contracts';
import { Conditions, type Transaction } from '@perdure/store';
import { implement } from '../dispatcher/implement.js';
import { listPage } from '../paging/list-page.js';
import type { PageKey } from '../paging/cursor.js';

const contract = catalogue.audit.listAuditEvents;
type Input = InputOf<typeof contract>;

/** Linked entries in chain order, then what waits to be linked, by event id. */
export const listAuditEventsHandler = implement(contract, ({ tx, input }) =>
  listPage(
    { operation: contract.name, workspaceId: tx.workspaceId, input },
    {
      read: (after, limit) => readEvents(tx, input, { after, limit }),
      keyOf: (entry) => [entry.seq ?? -1, entry.event_id],
    },
  ),
);

interface Page {
  readonly after: PageKey | null;
  readonly limit: number;
}

/**
 * Two ordered reads instead of one sort over the chain. A page that began among the pending ones looks at the chain
 * again only from `from_seq` on a new list; what was linked meanwhile stands there.
 */
async function readEvents(tx: Transaction, input: Input, { after, limit }: Page): Promise<AuditEntryObject[]> {
  const afterSeq = after === null ? -1 : Number(after[0]);
  const amongPending = after !== null && afterSeq < 0;
  const linked = amongPending ? [] : await linkedEvents(tx, input, { afterSeq, limit });
  if (linked.length >= limit || input.from_seq !== undefined) return linked;
  const afterEvent = amongPending ? String(after[1]) : '';
  return [...linked, ...(await waitingEvents(tx, input, { afterEvent, limit: limit - linked.length }))];
}

const COLUMNS = `e.v, e.workspace_id, e.event_id, e.type, e.at, e.actor_ref, e.subject_type, e.subject_id,
  d.payload::jsonb AS payload, encode(d.salt, 'hex') AS payload_salt, encode(e.payload_digest, 'hex') AS payload_digest,
  encode(e.event_digest, 'hex') AS event_digest`;

const PAYLOAD = `LEFT JOIN audit_payload d ON d.workspace_id = e.workspace_id AND d.event_id = e.event_id`;

function linkedEvents(
  tx: Transaction,
  input: Input,
  page: { afterSeq: number; limit: number },
): Promise<AuditEntryObject[]> {
  const where = eventConditions(tx, input)
    .and((seq) => `n.seq > ${seq}`, page.afterSeq)
    .and((seq) => `n.seq >= ${seq}`, input.from_seq);
  return tx.rows<AuditEntryObject>(
    `SELECT ${COLUMNS}, n.seq::float8 AS seq, encode(n.prev_hash, 'hex') AS prev_hash,
       encode(n.entry_hash, 'hex') AS entry_hash, n.linked_at
     FROM audit_entry n
     JOIN audit_event e ON e.workspace_id = n.workspace_id AND e.event_id = n.event_id ${PAYLOAD}
     WHERE n.workspace_id = $1${where.sql} ORDER BY n.seq LIMIT ${where.place(page.limit)}`,
    where.parameters,
  );
}

function waitingEvents(
  tx: Transaction,
  input: Input,
  page: { afterEvent: string; limit: number },
): Promise<AuditEntryObject[]> {
  const where = eventConditions(tx, input).and((event) => `e.event_id > ${event}`, page.afterEvent);
  return tx.rows<AuditEntryObject>(
    `SELECT ${COLUMNS}, NULL AS seq, NULL AS prev_hash, NULL AS entry_hash, NULL AS linked_at
     FROM (SELECT event_id FROM audit_pending WHERE workspace_id = $1
           UNION SELECT event_id FROM audit_quarantine WHERE workspace_id = $1) w
     JOIN audit_event e ON e.workspace_id = $1 AND e.event_id = w.event_id ${PAYLOAD}
     WHERE e.workspace_id = $1${where.sql} ORDER BY e.event_id LIMIT ${where.place(page.limit)}`,
    where.parameters,
  );
}

function eventConditions(tx: Transaction, input: Input): Conditions {
  return new Conditions(tx.workspaceId)
    .and((place) => `e.type = ${place}`, input.type)
    .and((place) => `e.subject_type = ${place}`, input.subject_type)
    .and((place) => `e.subject_id = ${place}`, input.subject_id)
    .and((place) => `e.at >= ${place}`, toStoredInstant(input.from))
    .and((place) => `e.at <= ${place}`, toStoredInstant(input.to))
    .and(
      (place) =>
        `e.actor_ref IN (SELECT id FROM actor a WHERE a.workspace_id = $1 AND ${place}::text IN (a.name, a.id))`,
      input.actor,
    );
}

/** `at` is stored as text in one form, which sorts as time does. */
const toStoredInstant = (instant: string | undefined): string | undefined =>
  instant === undefined ? undefined : new Date(instant).toISOString();
