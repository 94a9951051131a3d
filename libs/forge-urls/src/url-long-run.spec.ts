import fc from 'fast-check';
import { ISSUE_URL_FORMS, parseIssueUrl, parsePullRequestUrl, PULL_REQUEST_URL_FORMS } from './index.js';

const parse = (url: string) => ({ pullRequest: parsePullRequestUrl(url), issue: parseIssueUrl(url) });
const canonicalOf = (url: string): string | undefined => (parsePullRequestUrl(url) ?? parseIssueUrl(url))?.url;

const name = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._]{0,8}$/);
const number = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
const hosts = [
  'github.com',
  'www.github.com',
  'acme.ghe.com',
  'gitlab.com',
  'bitbucket.org',
  'dev.azure.com',
  'acme.visualstudio.com',
  'codeberg.org',
  'acme.atlassian.net',
  'linear.app',
  'github.example.com',
  'my-gitlab.example.org',
  'git.corp.example:8443',
  'git.corp.example:80',
  'xn--gthub-n2e.com',
];

/** The forms named to callers, with names, numbers and keys of any kind in place of the examples'. */
const formUrl = fc
  .tuple(fc.constantFrom(...PULL_REQUEST_URL_FORMS, ...ISSUE_URL_FORMS), name, name, number)
  .map(([form, owner, repository, count]) =>
    form
      .replace(/\/(?:owner|subgroup|project|KEY|name)\b/, `/${owner}`)
      .replace('/repository', `/${repository}`)
      .replace(/12$/, String(count)),
  );

/** Any words that forms are made of, in any order: what a reader of paths may trip over. */
const word = fc.oneof(
  name,
  number.map(String),
  fc.constantFrom('-', '~jd', 'tfs', 'TFS', '_git', 'pull', 'pulls', 'pull-requests', 'pullrequest', 'merge_requests'),
  fc.constantFrom('issues', 'browse', 'projects', 'repos', 'users', 'groups', 'AB-12', '_workitems', 'edit', 'api'),
  fc.constantFrom('%20', '%2e', '%252e', '%2F', '%00', '%E0%A4', 'a%20b', 'a%25b', '', 'DefaultCollection'),
);
const wordUrl = fc
  .tuple(fc.constantFrom('https', 'http'), fc.constantFrom(...hosts), fc.array(word, { maxLength: 9 }))
  .map(([scheme, host, words]) => `${scheme}://${host}/${words.join('/')}`);

/** Any front of up to four words before the words of a form, so that most urls are pages. */
const frontedUrl = fc
  .tuple(
    fc.constantFrom('https', 'http'),
    fc.constantFrom(...hosts),
    fc.array(word, { minLength: 1, maxLength: 4 }),
    fc.constantFrom(
      'pull/1',
      '-/merge_requests/1',
      'pull-requests/1',
      'pullrequest/1',
      '_git/a/pullrequest/1',
      'pulls/1',
    ),
  )
  .map(([scheme, host, words, end]) => `${scheme}://${host}/${words.join('/')}/${end}`);

const anyUrl = fc.oneof(formUrl, wordUrl, frontedUrl);
const tail = fc.webPath({ size: 'small' }).filter((text) => !/(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)/i.test(text));

describe('S12: what holds for every url', () => {
  it('S12: no string makes the readers throw', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.webUrl({ withQueryParameters: true, withFragments: true }),
      fc
        .tuple(fc.constantFrom('https://', 'https:', 'http://['), fc.string({ unit: 'binary' }))
        .map((parts) => parts.join('')),
      anyUrl,
    );
    fc.assert(
      fc.property(text, (url) => {
        const { pullRequest, issue } = parse(url);
        return [pullRequest?.url ?? null, issue?.url ?? null].every((one) => one === null || URL.canParse(one));
      }),
      { numRuns: 2000 },
    );
  });

  it('S12: the canonical url reads as the same page', () => {
    let pages = 0;
    fc.assert(
      fc.property(anyUrl, (url) => {
        const pullRequest = parsePullRequestUrl(url);
        const issue = parseIssueUrl(url);
        if (pullRequest) expect(parsePullRequestUrl(pullRequest.url)).toEqual(pullRequest);
        if (issue) expect(parseIssueUrl(issue.url)).toEqual(issue);
        if (pullRequest ?? issue) pages += 1;
      }),
      { numRuns: 600000 },
    );
    // A property over refusals alone would hold of anything.
    expect(pages).toBeGreaterThan(60000);
  });

  it('S12: tail, query, fragment and a trailing slash change nothing', () => {
    fc.assert(
      fc.property(formUrl, tail, fc.webQueryParameters(), fc.webFragments(), (url, path, query, fragment) => {
        const expected = parse(url);
        expect(canonicalOf(url)).toBeDefined();
        for (const end of [
          '/',
          path,
          `?${query}`,
          `#${fragment}`,
          `${path}/?${query}#${fragment}`,
          '?a\\b',
          '\n',
          ' ',
        ]) {
          expect(parse(url + end)).toEqual(expected);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('S12: userinfo and the case of scheme and host change nothing', () => {
    fc.assert(
      fc.property(formUrl, fc.webAuthority(), fc.infiniteStream(fc.boolean()), (url, userinfo, upper) => {
        const [scheme = '', host = '', path = ''] = url.match(/^https:|\/\/[^/]+|\/.*$/g) ?? [];
        const cased = [...(scheme + host)]
          .map((letter) => (upper.next().value ? letter.toUpperCase() : letter))
          .join('');
        expect(parse(cased + path)).toEqual(parse(url));
        expect(parse(url.replace('://', `://${encodeURIComponent(userinfo)}@`))).toEqual(parse(url));
      }),
      { numRuns: 300 },
    );
  });

  it('S12: the host is the one the URL parser sees, whatever stands before it', () => {
    const prefix = fc.constantFrom('github.com@', 'github.com%2F@', 'github.com:443@', 'github.com.', 'a:b@', '');
    fc.assert(
      fc.property(prefix, fc.domain(), name, name, number, (front, domain, owner, repository, count) => {
        const url = `https://${front}${domain}/${owner}/${repository}/pull/${count}`;
        const pullRequest = parsePullRequestUrl(url);
        expect(pullRequest === null || pullRequest.host === new URL(url).host).toBe(true);
      }),
    );
  });
});
