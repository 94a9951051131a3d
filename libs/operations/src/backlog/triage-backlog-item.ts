import { type AuditedEventName, type BacklogStatus, catalogue, DomainError, type InputOf } from '@perdure/contracts';
import { parsePullRequestUrl, PULL_REQUEST_URL_FORMS } from '@perdure/forge-urls';
import { implement } from '../dispatcher/implement.js';
import { isFinal, lockItem, refuseFinal, requireBacklogItem } from './find-backlog-item.js';

type Input = InputOf<typeof catalogue.backlog.triageBacklogItem>;

/** B2: what may follow, and the event it is audited as. Claiming and releasing have operations of their own. */
const FOLLOWING: Readonly<Record<BacklogStatus, Partial<Record<BacklogStatus, AuditedEventName>>>> = {
  open: { triaged: 'backlog_item.triaged', resolved: 'backlog_item.resolved', dismissed: 'backlog_item.dismissed' },
  triaged: {
    in_progress: 'backlog_item.started',
    resolved: 'backlog_item.resolved',
    dismissed: 'backlog_item.dismissed',
  },
  in_progress: { resolved: 'backlog_item.resolved', dismissed: 'backlog_item.dismissed' },
  resolved: {},
  dismissed: {},
};

export const triageBacklogItemHandler = implement(
  catalogue.backlog.triageBacklogItem,
  async ({ tx, input, now, audit }) => {
    const closing = readClosing(input);
    const item = await lockItem(tx, input.backlog_item_id);
    if (item.status === input.status) return { backlog_item: await requireBacklogItem(tx, item.id) };
    refuseFinal(item);
    const type = FOLLOWING[item.status][input.status];
    if (type === undefined) throw illegal(item.status, input.status);
    await tx.run(
      `UPDATE backlog_item SET status = $3, closing_pr_url = $4, closing_commit_sha = $5, closing_notes = $6,
         dismissal_reason = $7, closed_at = $8
       WHERE workspace_id = $1 AND id = $2`,
      [
        tx.workspaceId,
        item.id,
        input.status,
        closing.prUrl,
        input.closing_commit_sha ?? null,
        input.closing_notes ?? null,
        input.dismissal_reason ?? null,
        isFinal(input.status) ? now : null,
      ],
    );
    audit({
      type,
      subjectId: item.id,
      payload: {
        from: item.status,
        to: input.status,
        closing_pr_url: closing.prUrl,
        closing_commit_sha: input.closing_commit_sha ?? null,
      },
    });
    return { backlog_item: await requireBacklogItem(tx, item.id) };
  },
);

/** @throws DomainError `closing_evidence_required`, `dismissal_reason_required`, `invalid_input`, `pr_url_unrecognised` */
function readClosing(input: Input): { prUrl: string | null } {
  const evidence = [input.closing_pr_url, input.closing_commit_sha, input.closing_notes].some(
    (given) => given !== undefined,
  );
  if (input.status === 'resolved' && !evidence) {
    throw new DomainError(
      'closing_evidence_required',
      'Resolving needs a pull request, a commit or notes that say how.',
    );
  }
  if (input.status === 'dismissed' && input.dismissal_reason === undefined) {
    throw new DomainError('dismissal_reason_required', 'Dismissing needs a reason.');
  }
  refuseMisplaced(input.status !== 'resolved' && evidence, 'closing_notes', 'goes with status resolved only');
  refuseMisplaced(
    input.status !== 'dismissed' && input.dismissal_reason !== undefined,
    'dismissal_reason',
    'goes with status dismissed only',
  );
  if (input.closing_pr_url === undefined) return { prUrl: null };
  const pr = parsePullRequestUrl(input.closing_pr_url);
  if (pr !== null) return { prUrl: pr.url };
  throw new DomainError(
    'pr_url_unrecognised',
    'closing_pr_url is not the url of a pull request in a form that is known.',
    {
      field: 'closing_pr_url',
      forms: PULL_REQUEST_URL_FORMS,
    },
  );
}

function refuseMisplaced(misplaced: boolean, path: string, message: string): void {
  if (misplaced)
    throw new DomainError('invalid_input', `Invalid input. ${path}: ${message}`, { fields: [{ path, message }] });
}

function illegal(from: BacklogStatus, to: BacklogStatus): DomainError {
  const allowed = Object.keys(FOLLOWING[from]);
  return new DomainError('illegal_transition', `An item that is ${from} cannot become ${to}.`, { from, to, allowed });
}
