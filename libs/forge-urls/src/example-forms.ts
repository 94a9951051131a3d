/** One example of each form of pull request url that is read, for the details of `pr_url_unrecognised`. */
export const PULL_REQUEST_URL_FORMS: readonly string[] = [
  'https://github.com/owner/repository/pull/12',
  'https://github.example.com/owner/repository/pull/12',
  'https://gitlab.com/group/subgroup/repository/-/merge_requests/12',
  'https://bitbucket.org/workspace/repository/pull-requests/12',
  'https://bitbucket.example.com/projects/KEY/repos/repository/pull-requests/12',
  'https://bitbucket.example.com/users/name/repos/repository/pull-requests/12',
  'https://dev.azure.com/organisation/project/_git/repository/pullrequest/12',
  'https://organisation.visualstudio.com/project/_git/repository/pullrequest/12',
  'https://azure.example.com/collection/project/_git/repository/pullrequest/12',
  'https://codeberg.org/owner/repository/pulls/12',
];

/** One example of each form of issue url that is read, for the details of `issue_url_unrecognised`. */
export const ISSUE_URL_FORMS: readonly string[] = [
  'https://github.com/owner/repository/issues/12',
  'https://gitlab.com/group/subgroup/repository/-/issues/12',
  'https://gitlab.com/group/subgroup/repository/-/work_items/12',
  'https://gitlab.com/groups/group/-/work_items/12',
  'https://codeberg.org/owner/repository/issues/12',
  'https://site.atlassian.net/browse/PROJ-12',
  'https://jira.example.com/browse/PROJ-12',
  'https://linear.app/workspace/issue/TEAM-12',
  'https://dev.azure.com/organisation/project/_workitems/edit/12',
];
