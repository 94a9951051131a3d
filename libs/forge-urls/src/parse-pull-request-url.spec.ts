import { parsePullRequestUrl, PULL_REQUEST_URL_FORMS } from './index.js';

/** `forge host repository number`, short enough for a table. */
const identity = (url: string): string | null => {
  const pr = parsePullRequestUrl(url);
  return pr && `${pr.forge} ${pr.host} ${pr.repository} ${pr.number}`;
};

describe('S12: pull requests read off their urls', () => {
  it.each(PULL_REQUEST_URL_FORMS.map((url) => [url]))('S12: the form named to a caller works: %s', (url) => {
    expect(parsePullRequestUrl(url)?.number).toBe(12);
  });

  it('S12: each forge stands among the forms named to a caller', () => {
    const forges = new Set(PULL_REQUEST_URL_FORMS.map((url) => parsePullRequestUrl(url)?.forge));
    expect([...forges].sort()).toEqual(['azure_devops', 'bitbucket', 'gitea', 'github', 'gitlab']);
  });

  it.each([
    ['https://redirect.github.com/acme/app/pull/17', 'github github.com acme/app 17'],
    ['https://github.com./acme/app/pull/17', 'github github.com acme/app 17'],
    ['https://github.com/acme/app/pull/17.patch', 'github github.com acme/app 17'],
    ['https://github.com/acme/app/pull/17/%E0%A4%A', 'github github.com acme/app 17'],
    // On a host that is not named after a forge, an owner may well be called "rest".
    ['https://api.corp.example/rest/api/pull/3', 'github api.corp.example rest/api 3'],
    ['https://github.com/acme/rest/pull/3', 'github github.com acme/rest 3'],
    ['https://www.gitlab.com/acme/app/-/merge_requests/8', 'gitlab gitlab.com acme/app 8'],
    ['https://gitlab.com/acme/api/app/merge_requests/8', 'gitlab gitlab.com acme/api/app 8'],
    ['https://bitbucket.org/acme/app/pull-request/5/title', 'bitbucket bitbucket.org acme/app 5'],
    ['https://bitbucket.org/%7Ba-1%7D/%7Bb-2%7D/pull-requests/5', 'bitbucket bitbucket.org {a-1}/{b-2} 5'],
    ['https://git.corp.example/projects/~jdoe/repos/app/pull-requests/3', 'bitbucket git.corp.example ~jdoe/app 3'],
    ['https://dev.azure.com/acme/Shop/_git/web/pullRequest/210', 'azure_devops dev.azure.com acme/Shop/web 210'],
    [
      'https://dev.azure.com/acme/Caf%C3%A9/_git/100%2525/pullrequest/1',
      'azure_devops dev.azure.com acme/Café/100%25 1',
    ],
    ['https://acme.visualstudio.com/_git/Shop/pullrequest/7', 'azure_devops dev.azure.com acme/Shop/Shop 7'],
    ['https://acme.visualstudio.com/defaultcollection/_git/S/pullrequest/7', 'azure_devops dev.azure.com acme/S/S 7'],
    ['https://tfs.corp.example/tfs/Coll/_git/web/pullrequest/1', 'azure_devops tfs.corp.example Coll/web/web 1'],
    ['https://tfs.corp.example/Coll/Shop/_git/web/pullrequest/1', 'azure_devops tfs.corp.example Coll/Shop/web 1'],
    ['https://example.net/forge/acme/app/pulls/7', 'gitea example.net acme/app 7'],
    ['http://[::1]:3000/acme/app/pulls/7', 'gitea [::1]:3000 acme/app 7'],
  ])('S12: %s', (url, expected) => {
    expect(identity(url)).toBe(expected);
  });

  it.each([
    ['https://github.example.com/o/r/pulls/17', 'a list of one user, on an enterprise host too'],
    ['https://acme.ghe.com/o/r/pulls/17', 'the same in the cloud'],
    ['https://github.com/acme/app/-/merge_requests/8', 'the form of another forge'],
    ['https://gitlab.example.com/acme/app/pull/17', 'the form of another forge than the name says'],
    ['https://gist.github.com/acme/app/pull/17', 'a host of GitHub without pull requests'],
    ['https://gitlab.com/api/v4/projects/1/merge_requests/8', 'an API address'],
    ['https://example.com/gitlab/api/v4/projects/1/merge_requests/8', 'an API address below a path'],
    ['https://ghe.example.com/api/v3/repos/o/r/pulls/8', 'an API address'],
    ['https://codeberg.org/api/v1/repos/acme/app/pulls/7', 'an API address'],
    ['https://git.example.com/rest/api/1.0/projects/K/repos/app/pull-requests/3', 'an API address'],
    ['https://dev.azure.com/acme/Shop/_apis/git/repositories/web/pullRequests/210', 'an API address'],
    ['https://gitlab.com/groups/acme/merge_requests/8', 'a group has no merge requests of its own'],
    ['https://gitlab.com/acme/merge_requests/8', 'a group alone'],
    ['https://gitlab.com/acme/app/-/merge_requests/new', 'no number'],
    ['https://dev.azure.com/_git/web/pullrequest/1', 'no organisation'],
    ['https://dev.azure.com/acme/_build/_git/web/pullrequest/1', 'no project is called so'],
    ['https://dev.azure.com/acme/_git/_full/pullrequest/1', 'no repository is called so'],
    ['https://tfs.corp.example/tfs/_git/web/pullrequest/1', 'no collection'],
    ['https://git.example.net/o/r/src/branch/main/a/b/pulls/7', 'a file inside a repository'],
    ['https://git.example.net/acme/app/pulls/007', 'leading zeros'],
    ['https://git.example.net/acme/app/pulls/+7', 'a sign'],
    ['https://github.com/acme/app/pull/1e3', 'an exponent'],
    ['https://github.com/acme/app/pull/1.5', 'a fraction'],
    ['https://github.com/acme/app/pull/9007199254740992', 'past the safe integers'],
    ['https://github.com//acme/app/pull/17', 'an empty part'],
    ['https://github.com/acme%2Fapp/x/pull/17', 'a slash in a name'],
    ['https://github.com/%E2%80%AEacme/app/pull/17', 'a name written backwards'],
    ['https://dev.azure.com/acme/Sh%E2%80%AEop/_git/web/pullrequest/1', 'a name written backwards'],
    ['https://dev.azure.com/acme/Sh%00op/_git/web/pullrequest/1', 'a control character'],
    ['https://dev.azure.com/acme/%20/_git/web/pullrequest/1', 'a blank name'],
    ['https://dev.azure.com/acme/a%252Fb%2Fc/_git/web/pullrequest/1', 'a slash in a name'],
    ['https://github.com/acme/app/pull/1\n2', 'a line end inside: another reader sees number 1'],
    ['https://github.com../acme/app/pull/1', 'an empty label in the host'],
    ['github.com/acme/app/pull/17', 'no scheme'],
    ['localhost:3000/acme/app/pulls/1', 'no scheme'],
    ['//github.com/acme/app/pull/17', 'no scheme'],
    ['https:///', 'no host'],
    ['', 'nothing'],
  ])('S12: refused: %s (%s)', (url) => {
    expect(identity(url)).toBeNull();
  });
});

describe('S12: the host is what stands behind userinfo, backslashes and homographs', () => {
  it.each([
    ['https://github.com@beacon.invalid/acme/app/pull/1', 'https://beacon.invalid/acme/app/pull/1'],
    ['https://github.com%2F@beacon.invalid/acme/app/pull/1', 'https://beacon.invalid/acme/app/pull/1'],
    [
      'https://acme@dev.azure.com/acme/Shop/_git/web/pullrequest/2',
      'https://dev.azure.com/acme/Shop/_git/web/pullrequest/2',
    ],
    ['https://u:hunter2@github.com/acme/app/pull/1', 'https://github.com/acme/app/pull/1'],
    ['https://gіthub.com/a/b/pull/1', 'https://xn--gthub-n2e.com/a/b/pull/1'],
    ['https://github.com.beacon.invalid/a/b/pull/1', 'https://github.com.beacon.invalid/a/b/pull/1'],
    ['https://GITHUB。com/a/b/pull/1', 'https://github.com/a/b/pull/1'],
  ])('S12: %s', (url, canonical) => {
    expect(parsePullRequestUrl(url)?.url).toBe(canonical);
  });

  it.each([
    ['https://github.com\\@beacon.invalid/acme/app/pull/1'],
    ['https://codeberg.org\\@beacon.invalid/acme/app/pulls/1'],
    ['https://git.example.net\\beacon/acme/app/pulls/1'],
    ['https:\\\\github.com\\acme\\app\\pull\\1'],
    ['https://git.example.net/x%5Cy/acme/app/pulls/1'],
  ])('S12: a backslash before the query is refused: %s', (url) => {
    expect(parsePullRequestUrl(url)).toBeNull();
  });
});

describe('S12: two urls of one pull request give equal results', () => {
  it.each([
    ['https://github.com/acme/app/pull/17', 'http://www.github.com:80/acme/app/pull/17/files?w=1#diff'],
    ['https://gitlab.com/acme/app/-/merge_requests/8', 'https://gitlab.com/acme/app/merge_requests/8/diffs'],
    [
      'https://dev.azure.com/acme/Shop/_git/web/pullrequest/2',
      'https://acme.visualstudio.com/Shop/_git/web/pullrequest/2',
    ],
    ['https://dev.azure.com/acme/_git/Shop/pullrequest/2', 'https://dev.azure.com/acme/Shop/_git/Shop/pullrequest/2'],
    ['https://b.example/users/jd/repos/a/pull-requests/3', 'https://b.example/projects/~jd/repos/a/pull-requests/3'],
    ['https://github.com/acme/app/pull/17', 'https://github.com/%61cme/x/../app/./pull/%31%37'],
  ])('S12: %s is %s', (one, other) => {
    expect(parsePullRequestUrl(one)).not.toBeNull();
    expect(parsePullRequestUrl(other)).toEqual(parsePullRequestUrl(one));
  });

  it('S12: a server that speaks http alone keeps a url that works', () => {
    expect(parsePullRequestUrl('http://localhost:3000/acme/app/pulls/1/files')?.url).toBe(
      'http://localhost:3000/acme/app/pulls/1',
    );
  });
});
