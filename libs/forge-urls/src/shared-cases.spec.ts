import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseIssueUrl, parsePullRequestUrl } from './index.js';

interface UrlCase {
  id: string;
  use: 'pr' | 'issue';
  url: string;
  expect: {
    error?: string;
    forge?: string;
    host?: string;
    repository?: string;
    number?: number;
    tracker?: string;
    key?: string;
    key_one_of?: string[];
  };
}

// The file's shape is described in cases/pr-urls.README.md.
const cases = JSON.parse(readFileSync(path.join(__dirname, '../../../cases/pr-urls.json'), 'utf8')) as UrlCase[];
const casesFor = (use: UrlCase['use'], refused: boolean): [string, UrlCase][] =>
  cases
    .filter((one) => one.use === use && (one.expect.error !== undefined) === refused)
    .map((one): [string, UrlCase] => [`${one.id} ${one.url}`, one]);

describe('S12: the url cases of the repository', () => {
  it('are all of the two uses', () => {
    expect(cases.length).toBeGreaterThan(60);
    expect(cases.filter(({ use }) => use !== 'pr' && use !== 'issue')).toEqual([]);
  });

  it.each(casesFor('pr', false))('S12: pull request %s', (_, { url, expect: expected }) => {
    expect(parsePullRequestUrl(url)).toEqual({ ...expected, url: expect.stringMatching(/^https?:\/\//) });
  });

  it.each(casesFor('pr', true))('S12: no pull request: %s', (_, { url, expect: expected }) => {
    expect(expected.error).toBe('pr_url_unrecognised');
    expect(parsePullRequestUrl(url)).toBeNull();
  });

  it.each(casesFor('issue', false))('S12: issue %s', (_, { url, expect: expected }) => {
    const issue = parseIssueUrl(url);
    expect(issue?.tracker).toBe(expected.tracker);
    expect(expected.key_one_of ?? [expected.key]).toContain(issue?.key);
  });

  it.each(casesFor('issue', true))('S12: no issue: %s', (_, { url, expect: expected }) => {
    expect(expected.error).toBe('issue_url_unrecognised');
    expect(parseIssueUrl(url)).toBeNull();
  });
});
