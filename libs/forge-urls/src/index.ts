export { ISSUE_URL_FORMS, PULL_REQUEST_URL_FORMS } from './example-forms.js';
export { parseIssueUrl, type ParsedIssue } from './parse-issue-url.js';
export { parsePullRequestUrl, type ParsedPullRequest } from './parse-pull-request-url.js';
