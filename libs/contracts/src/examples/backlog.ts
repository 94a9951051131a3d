import { catalogue } from '../catalogue.js';
import { exampleOf, SAMPLE } from './example.js';

const {
  fileBacklogItem,
  triageBacklogItem,
  assignBacklogItem,
  claimBacklogItem,
  releaseBacklogItem,
  reprioritiseBacklogItem,
  commentBacklogItem,
  blockBacklogItem,
  getBacklogItem,
  listBacklogItems,
  listReadyBacklogItems,
  countBacklogItems,
} = catalogue.backlog;

const backlog_item_id = SAMPLE.item;

export const backlogExamples = [
  exampleOf(
    fileBacklogItem,
    {
      title: 'Test a retried payment against the sandbox',
      body_markdown: 'The unit tests fake the provider. One run against the sandbox would show a double charge.',
      priority: 'normal',
      category: 'test',
      project: 'payments',
    },
    { [SAMPLE.item]: 'backlog_item.id' },
  ),
  exampleOf(
    fileBacklogItem,
    { title: 'Get sandbox access', body_markdown: 'Ask the provider.', priority: 'high', category: 'chore' },
    { [SAMPLE.blocker]: 'backlog_item.id' },
  ),
  exampleOf(blockBacklogItem, { backlog_item_id, blocked_by: [SAMPLE.blocker] }),
  exampleOf(reprioritiseBacklogItem, { backlog_item_id, priority: 'high' }),
  exampleOf(commentBacklogItem, { backlog_item_id, body_markdown: 'The sandbox resets every night at 02:00 UTC.' }),
  exampleOf(triageBacklogItem, {
    backlog_item_id: SAMPLE.blocker,
    status: 'resolved',
    closing_notes: 'Access was granted.',
  }),
  exampleOf(listReadyBacklogItems, { project: 'payments' }),
  exampleOf(claimBacklogItem, { project: 'payments' }),
  exampleOf(releaseBacklogItem, { backlog_item_id, reason: 'The sandbox is down today.' }),
  exampleOf(assignBacklogItem, { backlog_item_id, assignee: 'dana' }),
  exampleOf(getBacklogItem, { backlog_item_id }),
  exampleOf(listBacklogItems, { project: 'payments', status: 'triaged' }),
  exampleOf(countBacklogItems, { project: 'payments' }),
  exampleOf(catalogue.decisions.linkDecisionSourceBacklogItem, { decision_id: SAMPLE.decision, backlog_item_id }),
];
