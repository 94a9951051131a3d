import type { LinkedIssueObject } from '@perdure/contracts';
import { ISSUE_FORMS } from './issue-forms.js';
import type { ParsedPullRequest } from './parse-pull-request-url.js';
import { canonicalUrl, fill, findForm } from './url-form.js';
import { readWebPage } from './web-page.js';

/** An issue or work item as its url names it. */
export type ParsedIssue = LinkedIssueObject;

/**
 * Reads an issue or work item off its url (S12), or null when the url is none of the known forms. Never throws.
 * `key` is the number as text, or the upper-case key (PROJ-1); `url` is canonical, as with pull requests.
 *
 * @param beside The pull request that links the issue. `/owner/repo/issues/1` on a host of one's own looks alike on
 *   several forges; on the host of that pull request its forge decides.
 */
export function parseIssueUrl(
  url: string,
  beside?: Pick<ParsedPullRequest, 'forge' | 'host'> | null,
): ParsedIssue | null {
  const page = readWebPage(url);
  const match = page && findForm(page, ISSUE_FORMS, beside?.host === page.host ? beside.forge : null);
  if (!match) return null;
  return {
    tracker: match.form.tracker,
    key: fill(match.form.key, match.names),
    url: canonicalUrl(page, match),
  };
}
