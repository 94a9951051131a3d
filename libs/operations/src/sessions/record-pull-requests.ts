import { DomainError } from '@perdure/contracts';
import {
  ISSUE_URL_FORMS,
  type ParsedIssue,
  type ParsedPullRequest,
  parseIssueUrl,
  parsePullRequestUrl,
  PULL_REQUEST_URL_FORMS,
} from '@perdure/forge-urls';
import type { Transaction } from '@perdure/store';

export interface PullRequestInput {
  readonly url: string;
  readonly linked_issue_url?: string | undefined;
  readonly title?: string | undefined;
}

export interface ReadPullRequest extends ParsedPullRequest {
  readonly title: string | null;
  readonly linkedIssue: ParsedIssue | null;
}

/**
 * S12: forge, host, repository and number are read off the urls before anything is written.
 *
 * @throws DomainError `pr_url_unrecognised`, `issue_url_unrecognised`, naming the argument and the forms that work
 */
export function readPullRequests(argument: string, prs: readonly PullRequestInput[]): ReadPullRequest[] {
  return prs.map((pr, index) => {
    const parsed = parsePullRequestUrl(pr.url);
    if (parsed === null) {
      throw unrecognised('pr_url_unrecognised', `${argument}.${index}.url`, 'a pull request', PULL_REQUEST_URL_FORMS);
    }
    return {
      ...parsed,
      title: pr.title ?? null,
      linkedIssue: readIssue(`${argument}.${index}.linked_issue_url`, pr.linked_issue_url, parsed),
    };
  });
}

function readIssue(field: string, url: string | undefined, beside: ParsedPullRequest): ParsedIssue | null {
  if (url === undefined) return null;
  const issue = parseIssueUrl(url, beside);
  if (issue === null) throw unrecognised('issue_url_unrecognised', field, 'an issue', ISSUE_URL_FORMS);
  return issue;
}

function unrecognised(
  code: 'pr_url_unrecognised' | 'issue_url_unrecognised',
  field: string,
  what: string,
  forms: readonly string[],
): DomainError {
  return new DomainError(code, `${field} is not the url of ${what} in a form that is known.`, { field, forms });
}

/**
 * Records pull requests of a session; one recorded before stays one row, and what was unknown of it (title, linked
 * issue) is filled in.
 *
 * @returns how many were new, and how many rows were written at all
 */
export async function recordPullRequests(
  tx: Transaction,
  sessionId: string,
  prs: readonly ReadPullRequest[],
  { eventId, now }: { eventId: string; now: string },
): Promise<{ added: number; written: number }> {
  let added = 0;
  let written = 0;
  for (const pr of inOneOrder(prs)) {
    const row = await tx.first<{ is_new: boolean }>(
      `INSERT INTO build_session_pr AS p (workspace_id, build_session_id, forge, host, repository, number, url, title,
         linked_issue, recorded_at, audit_event_id)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
       ON CONFLICT (workspace_id, build_session_id, forge, host, repository, number) DO UPDATE
       SET title = coalesce(p.title, excluded.title), linked_issue = coalesce(p.linked_issue, excluded.linked_issue)
       WHERE (p.title IS NULL AND excluded.title IS NOT NULL)
          OR (p.linked_issue IS NULL AND excluded.linked_issue IS NOT NULL)
       RETURNING (xmax = 0) AS is_new`,
      [
        tx.workspaceId,
        sessionId,
        pr.forge,
        pr.host,
        pr.repository,
        pr.number,
        pr.url,
        pr.title,
        pr.linkedIssue === null ? null : JSON.stringify(pr.linkedIssue),
        now,
        eventId,
      ],
    );
    if (row === undefined) continue;
    written += 1;
    if (row.is_new) added += 1;
  }
  return { added, written };
}

/** Rows are taken in one order by every caller, so that two calls with the same pull requests cannot deadlock. */
function inOneOrder(prs: readonly ReadPullRequest[]): ReadPullRequest[] {
  const key = (pr: ReadPullRequest) => JSON.stringify([pr.forge, pr.host, pr.repository, pr.number]);
  return prs.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
}
