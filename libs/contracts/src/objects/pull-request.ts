import { z } from 'zod';
import { instant } from '../fields.js';

const FORGES = ['github', 'gitlab', 'bitbucket', 'azure_devops', 'gitea'] as const;
const TRACKERS = ['github', 'gitlab', 'gitea', 'jira', 'linear', 'azure_boards'] as const;

const linkedIssueObject = z.object({
  tracker: z.enum(TRACKERS),
  key: z.string(),
  url: z.string(),
});

/** A pull request as read off its url; (forge, host, repository, number) is its identity. */
export const pullRequestObject = z.object({
  forge: z.enum(FORGES),
  host: z.string(),
  repository: z.string(),
  number: z.int(),
  url: z.string(),
  title: z.string().nullable(),
  linked_issue: linkedIssueObject.nullable(),
  recorded_at: instant(),
});

export type PullRequestObject = z.output<typeof pullRequestObject>;
export type LinkedIssueObject = z.output<typeof linkedIssueObject>;
