import type { PullRequestObject } from '@perdure/contracts';
import { PULL_REQUEST_FORMS } from './pull-request-forms.js';
import { canonicalUrl, fill, findForm } from './url-form.js';
import { readWebPage } from './web-page.js';

/** A pull request as its url names it; (forge, host, repository, number) is its identity. */
export type ParsedPullRequest = Pick<PullRequestObject, 'forge' | 'host' | 'repository' | 'number' | 'url'>;

/**
 * Reads a pull request off its url (S12), or null when the url is none of the known forms. Never throws.
 * `host` is lower case and carries a port other than the scheme's own; `repository` is decoded and keeps its case;
 * `url` is canonical: no userinfo, tail, query or fragment. On a self-hosted server alone `url` keeps the scheme
 * that was given, so http and https there differ in `url` while the identity is the same.
 */
export function parsePullRequestUrl(url: string): ParsedPullRequest | null {
  const page = readWebPage(url);
  const match = page && findForm(page, PULL_REQUEST_FORMS);
  if (!match) return null;
  return {
    forge: match.form.product,
    host: page.host,
    repository: fill(match.form.repository, match.names),
    number: Number(match.names.number),
    url: canonicalUrl(page, match),
  };
}
