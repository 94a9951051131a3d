import type { PullRequestObject } from '@perdure/contracts';
import { route, type UrlForm } from './url-form.js';

export interface PullRequestForm extends UrlForm {
  product: PullRequestObject['forge'];
  /** Template of the repository's full name. */
  repository: string;
}

/** Tried in this order. Azure DevOps compares its paths without case, the others do not. */
export const PULL_REQUEST_FORMS: readonly PullRequestForm[] = [
  {
    product: 'github',
    paths: [route('{owner}/{repo}/pull/{number}{patch}')],
    repository: '{owner}/{repo}',
    page: '{owner}/{repo}/pull/{number}',
  },
  {
    product: 'gitlab',
    // GitLab before 12.0 had no `/-/`, and still redirects.
    paths: [
      route('{group}/{repo}/-/merge_requests/{number}{patch}'),
      route('{group}/{repo}/merge_requests/{number}{patch}'),
    ],
    repository: '{group}/{repo}',
    page: '{group}/{repo}/-/merge_requests/{number}',
  },
  {
    product: 'bitbucket',
    only: 'public',
    paths: [route('{workspace}/{slug}/pull-requests/{number}'), route('{workspace}/{slug}/pull-request/{number}')],
    repository: '{workspace}/{slug}',
    page: '{workspace}/{slug}/pull-requests/{number}',
  },
  {
    product: 'bitbucket',
    only: 'self_hosted',
    paths: [route('{context}projects/{key}/repos/{repo}/pull-requests/{number}')],
    repository: '{key}/{repo}',
    page: '{context}projects/{key}/repos/{repo}/pull-requests/{number}',
  },
  {
    product: 'bitbucket',
    only: 'self_hosted',
    // A personal repository, named with the tilde of its clone url.
    paths: [
      route('{context}users/{user}/repos/{repo}/pull-requests/{number}'),
      route('{context}projects/~{user}/repos/{repo}/pull-requests/{number}'),
    ],
    repository: '~{user}/{repo}',
    page: '{context}users/{user}/repos/{repo}/pull-requests/{number}',
  },
  {
    product: 'azure_devops',
    only: 'public',
    paths: [route('{organisation}/{project}/_git/{repository}/pullrequest/{number}', 'i')],
    repository: '{organisation}/{project}/{repository}',
    page: '{organisation}/{project}/_git/{repository}/pullrequest/{number}',
  },
  {
    product: 'azure_devops',
    only: 'public',
    // Short for a repository of its project's name.
    paths: [route('{organisation}/_git/{repository}/pullrequest/{number}', 'i')],
    repository: '{organisation}/{repository}/{repository}',
    page: '{organisation}/{repository}/_git/{repository}/pullrequest/{number}',
  },
  {
    product: 'azure_devops',
    only: 'self_hosted',
    // The same on a server. `tfs` is its default path, so tfs/Coll/_git/app is not project Coll of collection tfs.
    paths: [route('{tfs}{collection}/_git/{repository}/pullrequest/{number}', 'i')],
    repository: '{collection}/{repository}/{repository}',
    page: '{tfs}{collection}/{repository}/_git/{repository}/pullrequest/{number}',
  },
  {
    product: 'azure_devops',
    only: 'self_hosted',
    paths: [route('{front}{collection}/{project}/_git/{repository}/pullrequest/{number}', 'i')],
    repository: '{collection}/{project}/{repository}',
    page: '{front}{collection}/{project}/_git/{repository}/pullrequest/{number}',
  },
  {
    product: 'gitea',
    paths: [route('{context}{owner}/{repo}/pulls/{number}{patch}')],
    repository: '{owner}/{repo}',
    page: '{context}{owner}/{repo}/pulls/{number}',
  },
];
