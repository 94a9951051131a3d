import { ChainVerifier, MerkleAccumulator, toHex, type VerifyFrom } from '@perdure/audit-chain';
import { catalogue } from '@perdure/contracts';
import type { Transaction } from '@perdure/store';
import { implement } from '../dispatcher/implement.js';
import { storedEntries } from './stored-chain.js';
import { unchainedFindings } from './unchained.js';

/** What was committed before the call is normally linked within 0.1 s; waiting for it makes the answer cover it. */
const WAIT_FOR_LINKING_MS = 2_000;
const POLL_MS = 25;
/** The first ones tell what happened; a chain that is bad throughout would fill the answer. */
const FINDINGS_SHOWN = 200;

/** A request's 15 s for one statement are too few for a look over millions of rows. */
const STATEMENT_LIMIT = '5min';

/** A4: walks the chain as it is stored. The head is read first; entries linked after that belong to the next call. */
export const verifyAuditChainHandler = implement(catalogue.audit.verifyAuditChain, async ({ tx, input }) => {
  await tx.run(`SET LOCAL statement_timeout = '${STATEMENT_LIMIT}'`);
  const pending = await waitForLinking(tx);
  const unchained = await unchainedFindings(tx);
  const head = await readHead(tx);
  const fromSeq = Math.min(input.from_seq ?? 0, head?.size ?? 0);
  const before = await rootBefore(tx, fromSeq);
  const verifier = new ChainVerifier(tx.workspaceId, before.verifyFrom);
  // Without a head everything that is stored is walked: its absence is the finding.
  for await (const entry of storedEntries(tx, fromSeq, head?.size ?? Number.MAX_SAFE_INTEGER)) {
    verifier.push(entry);
    before.tree?.append(entry.entryHash);
  }
  const result = verifier.finish(head);
  return {
    ok: result.ok && unchained.length === 0,
    size: result.size,
    pending,
    root: before.tree === undefined ? result.root : toHex(before.tree.root()),
    segments: result.segments,
    findings: [...result.findings, ...unchained].slice(0, FINDINGS_SHOWN),
  };
});

async function waitForLinking(tx: Transaction): Promise<number> {
  const deadline = Date.now() + WAIT_FOR_LINKING_MS;
  const known = await pendingUpTo(tx, null);
  let left = known.count;
  while (left > 0 && Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    left = (await pendingUpTo(tx, known.last)).count;
  }
  return left === 0 ? (await pendingUpTo(tx, null)).count : left;
}

async function pendingUpTo(tx: Transaction, last: string | null): Promise<{ count: number; last: string | null }> {
  const row = await tx.first<{ count: number; last: string | null }>(
    `SELECT count(*)::int AS count, max(id)::text AS last FROM audit_pending
     WHERE workspace_id = $1 AND ($2::bigint IS NULL OR id <= $2::bigint)`,
    [tx.workspaceId, last],
  );
  return row ?? { count: 0, last: null };
}

async function readHead(tx: Transaction): Promise<{ size: number; headHash: Uint8Array } | null> {
  const row = await tx.first<{ size: number; head_hash: Buffer }>(
    `SELECT size::float8 AS size, head_hash FROM audit_head WHERE workspace_id = $1`,
    [tx.workspaceId],
  );
  return row === undefined ? null : { size: row.size, headHash: row.head_hash };
}

interface Before {
  readonly verifyFrom: VerifyFrom;
  /** The tree over the hashes before `fromSeq` as they are stored, to be continued; absent when the walk starts at 0. */
  readonly tree?: MerkleAccumulator;
}

async function rootBefore(tx: Transaction, fromSeq: number): Promise<Before> {
  if (fromSeq === 0) return { verifyFrom: {} };
  const rows = await tx.rows<{ entry_hash: Buffer; linked_at: string }>(
    `SELECT entry_hash, linked_at FROM audit_entry WHERE workspace_id = $1 AND seq < $2 ORDER BY seq`,
    [tx.workspaceId, fromSeq],
  );
  const tree = new MerkleAccumulator();
  for (const row of rows) tree.append(row.entry_hash);
  const last = rows.at(-1);
  if (last === undefined) return { verifyFrom: { fromSeq }, tree };
  return { verifyFrom: { fromSeq, prevHash: last.entry_hash, linkedAt: last.linked_at }, tree };
}
