import { EVENT_TYPES, type SubjectType } from '@perdure/contracts';
import type { Transaction } from '@perdure/store';

export interface UnchainedFinding {
  readonly event_id: string;
  readonly kind: 'event_quarantined' | 'event_unchained' | 'row_unaudited' | 'row_missing';
  readonly severity: 'error';
  readonly message: string;
}

/** As many as a person will read; one is enough to know that something is wrong. */
const SHOWN = 100;

/**
 * What a walk along the chain cannot see: events that stand nowhere in it, and rows and events that have lost each
 * other. Rows point at their events (DESIGN §6), so each of these is an anti-join.
 */
export async function unchainedFindings(tx: Transaction): Promise<UnchainedFinding[]> {
  const decisionRows = eventsHeldBy('row', 'decision');
  const rows = await tx.rows<Omit<UnchainedFinding, 'severity'>>(
    `SELECT event_id, 'event_quarantined' AS kind,
       'Event ' || event_id || ' was changed before it was linked and is kept out of the chain: ' || reason || '.' AS message
     FROM audit_quarantine WHERE workspace_id = $1
     UNION ALL
     SELECT e.event_id, 'event_unchained', 'Event ' || e.event_id || ' is neither in the chain nor waiting to be linked.'
     FROM audit_event e
     WHERE e.workspace_id = $1
       AND NOT EXISTS (SELECT FROM audit_entry n WHERE n.workspace_id = $1 AND n.event_id = e.event_id)
       AND NOT EXISTS (SELECT FROM audit_pending p WHERE p.workspace_id = $1 AND p.event_id = e.event_id)
       AND NOT EXISTS (SELECT FROM audit_quarantine q WHERE q.workspace_id = $1 AND q.event_id = e.event_id)
     UNION ALL
     SELECT d.audit_event_id, 'row_unaudited', 'Decision ' || d.id || ' names an event that is not there.'
     FROM decision d WHERE d.workspace_id = $1
       AND NOT EXISTS (SELECT FROM audit_event e WHERE e.workspace_id = $1 AND e.event_id = d.audit_event_id)
     UNION ALL
     SELECT e.event_id, 'row_missing', 'The ' || e.subject_type || ' that event ' || e.event_id || ' records is not there.'
     FROM audit_event e WHERE e.workspace_id = $1 AND e.type = ANY($2)
       AND NOT EXISTS (SELECT FROM decision d WHERE d.workspace_id = $1 AND d.id = e.subject_id)
     UNION ALL
     SELECT e.event_id, 'row_missing', 'The transition that event ' || e.event_id || ' records is not there.'
     FROM audit_event e WHERE e.workspace_id = $1 AND e.type = ANY($3)
       AND NOT EXISTS (SELECT FROM transition t WHERE t.workspace_id = $1 AND t.audit_event_id = e.event_id)
     UNION ALL
     SELECT t.audit_event_id, 'row_unaudited', 'A transition of ' || t.subject_type || ' ' || t.subject_id || ' names an event that is not there.'
     FROM transition t WHERE t.workspace_id = $1
       AND NOT EXISTS (SELECT FROM audit_event e WHERE e.workspace_id = $1 AND e.event_id = t.audit_event_id)
     ORDER BY event_id LIMIT ${SHOWN}`,
    [tx.workspaceId, decisionRows, eventsHeldBy('transition')],
  );
  return rows.map((row) => ({ ...row, severity: 'error' as const }));
}

function eventsHeldBy(holder: 'row' | 'transition', subject?: SubjectType): string[] {
  return Object.entries(EVENT_TYPES)
    .filter(([, type]) => 'heldBy' in type && type.heldBy === holder)
    .filter(([, type]) => subject === undefined || type.subject === subject)
    .map(([name]) => name);
}
