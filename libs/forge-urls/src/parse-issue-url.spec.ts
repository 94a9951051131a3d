import { ISSUE_URL_FORMS, parseIssueUrl } from './index.js';

/** `tracker key url`, short enough for a table. */
const identity = (url: string): string | null => {
  const issue = parseIssueUrl(url);
  return issue && `${issue.tracker} ${issue.key} ${issue.url}`;
};

describe('S12: linked issues read off their urls', () => {
  it.each(ISSUE_URL_FORMS.map((url) => [url]))('S12: the form named to a caller works: %s', (url) => {
    expect(parseIssueUrl(url)?.key).toMatch(/^(?:12|\w+-12)$/);
    expect(parseIssueUrl(url)?.url).toBe(url);
  });

  it('S12: each tracker stands among the forms named to a caller', () => {
    const trackers = new Set(ISSUE_URL_FORMS.map((url) => parseIssueUrl(url)?.tracker));
    expect([...trackers].sort()).toEqual(['azure_boards', 'gitea', 'github', 'gitlab', 'jira', 'linear']);
  });

  it.each([
    ['https://www.github.com/acme/app/issues/12#x', 'github 12 https://github.com/acme/app/issues/12'],
    ['https://github.example.com/acme/app/issues/12', 'github 12 https://github.example.com/acme/app/issues/12'],
    ['https://gitlab.com/a/b/c/issues/9', 'gitlab 9 https://gitlab.com/a/b/c/-/issues/9'],
    ['https://my-gitlab.example.org/a/b/issues/9', 'gitlab 9 https://my-gitlab.example.org/a/b/-/issues/9'],
    ['https://code.example.org/a/b/c/-/issues/9', 'gitlab 9 https://code.example.org/a/b/c/-/issues/9'],
    ['https://gitlab.com/a/b/-/issues/incident/9', 'gitlab 9 https://gitlab.com/a/b/-/issues/9'],
    ['https://gitlab.com/groups/a/b/-/epics/9', 'gitlab 9 https://gitlab.com/groups/a/b/-/work_items/9'],
    ['http://localhost:3000/acme/app/issues/3', 'gitea 3 http://localhost:3000/acme/app/issues/3'],
    ['https://acme.atlassian.net/browse/shop-431', 'jira SHOP-431 https://acme.atlassian.net/browse/SHOP-431'],
    [
      'https://acme.atlassian.net/jira/software/c/projects/SHOP/issues/SHOP-431?filter=1',
      'jira SHOP-431 https://acme.atlassian.net/browse/SHOP-431',
    ],
    [
      'https://jira.example.com/jira/projects/SHOP/issues/SHOP-4',
      'jira SHOP-4 https://jira.example.com/jira/browse/SHOP-4',
    ],
    ['https://linear.app/issue/eng-42', 'linear ENG-42 https://linear.app/issue/ENG-42'],
    ['https://dev.azure.com/acme/_workitems/edit/7/', 'azure_boards 7 https://dev.azure.com/acme/_workitems/edit/7'],
    [
      'https://acme.visualstudio.com/DefaultCollection/My%20Shop/_workitems/edit/7?x',
      'azure_boards 7 https://dev.azure.com/acme/My%20Shop/_workitems/edit/7',
    ],
    [
      'https://tfs.example.com:8080/tfs/Coll/Shop/_workitems/edit/7',
      'azure_boards 7 https://tfs.example.com:8080/tfs/Coll/Shop/_workitems/edit/7',
    ],
  ])('S12: %s', (url, expected) => {
    expect(identity(url)).toBe(expected);
  });

  it.each([
    ['https://github.com/acme/app/pull/12'],
    ['https://github.com/acme/app/issues'],
    ['https://github.com/acme/app/issues/new'],
    ['https://github.com/acme/app/issues/012'],
    ['https://github.com/acme/app/issues/9007199254740993'],
    ['https://github.com/acme/app/browse/SHOP-1'],
    ['https://api.github.com/repos/acme/app/issues/12'],
    ['https://gitlab.com/acme/app/-/merge_requests/12'],
    ['https://gitlab.com/api/v4/projects/1/issues/12'],
    ['https://bitbucket.org/acme/app/issues/12'],
    ['https://acme.atlassian.net/browse/SHOP'],
    ['https://acme.atlassian.net/browse/SHOP-0'],
    ['https://acme.atlassian.net/browse/SHOP-431abc'],
    ['https://acme.atlassian.net/browse/SHOP-9007199254740993'],
    ['https://acme.atlassian.net/rest/api/3/issue/SHOP-431'],
    ['https://jira.example.com/rest/browse/SHOP-431'],
    ['https://linear.app/acme/project/ENG-42'],
    ['https://dev.azure.com/acme/Shop/_workitems/edit/'],
    ['https://git.example.net\\@beacon.invalid/acme/app/issues/1'],
    ['javascript:alert(1)//linear.app/acme/issue/ENG-42'],
    ['#12'],
    [''],
  ])('S12: refused: %s', (url) => {
    expect(identity(url)).toBeNull();
  });

  it('S12: on the host of the pull request its forge decides between forms that look alike', () => {
    const url = 'https://git.corp.example:8443/o/r/issues/42';
    const host = 'git.corp.example:8443';
    expect(parseIssueUrl(url)?.tracker).toBe('gitea');
    expect(parseIssueUrl(url, { forge: 'github', host })?.tracker).toBe('github');
    expect(parseIssueUrl(url, { forge: 'gitlab', host })?.tracker).toBe('gitlab');
    expect(parseIssueUrl(url, { forge: 'github', host: 'github.com' })?.tracker).toBe('gitea');
    expect(parseIssueUrl(`https://${host}/jira/browse/AB-1`, { forge: 'bitbucket', host })?.tracker).toBe('jira');
  });
});
