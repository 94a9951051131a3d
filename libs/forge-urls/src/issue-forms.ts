import type { LinkedIssueObject } from '@perdure/contracts';
import { route, type UrlForm } from './url-form.js';

export interface IssueForm extends UrlForm {
  tracker: LinkedIssueObject['tracker'];
  /** Template of the key: a number, or PROJ-1. */
  key: string;
}

/**
 * Tried in this order. `/owner/repo/issues/1` is the form of Gitea, GitHub and GitLab before 12.0 alike; on a host
 * whose name tells nothing it is taken for Gitea, the most usual forge on a host of one's own among the three.
 */
export const ISSUE_FORMS: readonly IssueForm[] = [
  {
    product: 'jira',
    tracker: 'jira',
    only: 'public',
    paths: [route('browse/{ticket}'), route('{area}projects/{key}/issues/{ticket}')],
    key: '{ticket}',
    page: 'browse/{ticket}',
  },
  {
    product: 'jira',
    tracker: 'jira',
    only: 'self_hosted',
    paths: [route('{context}browse/{ticket}'), route('{context}projects/{key}/issues/{ticket}')],
    key: '{ticket}',
    page: '{context}browse/{ticket}',
  },
  {
    product: 'linear',
    tracker: 'linear',
    only: 'public',
    paths: [route('{team}/issue/{ticket}')],
    key: '{ticket}',
    page: '{team}/issue/{ticket}',
  },
  {
    product: 'linear',
    tracker: 'linear',
    only: 'public',
    paths: [route('issue/{ticket}')],
    key: '{ticket}',
    page: 'issue/{ticket}',
  },
  {
    product: 'azure_devops',
    tracker: 'azure_boards',
    only: 'public',
    paths: [route('{organisation}/{project}/_workitems/edit/{number}', 'i')],
    key: '{number}',
    page: '{organisation}/{project}/_workitems/edit/{number}',
  },
  {
    product: 'azure_devops',
    tracker: 'azure_boards',
    only: 'public',
    // A work item's number is the organisation's, so the project may be left out.
    paths: [route('{organisation}/_workitems/edit/{number}', 'i')],
    key: '{number}',
    page: '{organisation}/_workitems/edit/{number}',
  },
  {
    product: 'azure_devops',
    tracker: 'azure_boards',
    only: 'self_hosted',
    paths: [route('{front}{collection}/_workitems/edit/{number}', 'i')],
    key: '{number}',
    page: '{front}{collection}/_workitems/edit/{number}',
  },
  {
    product: 'gitea',
    tracker: 'gitea',
    paths: [route('{context}{owner}/{repo}/issues/{number}')],
    key: '{number}',
    page: '{context}{owner}/{repo}/issues/{number}',
  },
  {
    product: 'github',
    tracker: 'github',
    paths: [route('{owner}/{repo}/issues/{number}')],
    key: '{number}',
    page: '{owner}/{repo}/issues/{number}',
  },
  {
    product: 'gitlab',
    tracker: 'gitlab',
    paths: [
      route('{group}/{repo}/-/issues/{number}'),
      route('{group}/{repo}/-/issues/incident/{number}'),
      route('{group}/{repo}/issues/{number}'),
    ],
    key: '{number}',
    page: '{group}/{repo}/-/issues/{number}',
  },
  {
    product: 'gitlab',
    tracker: 'gitlab',
    paths: [route('{group}/{repo}/-/work_items/{number}')],
    key: '{number}',
    page: '{group}/{repo}/-/work_items/{number}',
  },
  {
    product: 'gitlab',
    tracker: 'gitlab',
    // A group's own work items, its epics among them.
    paths: [route('groups/{group}/-/work_items/{number}'), route('groups/{group}/-/epics/{number}')],
    key: '{number}',
    page: 'groups/{group}/-/work_items/{number}',
  },
];
