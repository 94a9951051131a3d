import { catalogue, DomainError, type InputOf, type OperationContract, type OutputOf } from '@perdure/contracts';
import { fileBacklogItemHandler } from '../backlog/file-backlog-item.js';
import { appendDecisionLogHandler } from '../decisions/append-decision-log.js';
import { type HandlerContext, implement } from '../dispatcher/implement.js';
import { pingBuildSessionHandler } from './ping-build-session.js';
import { prependBuildSessionLeadHandler } from './prepend-build-session-lead.js';
import { recordBuildSessionPrsHandler } from './record-build-session-prs.js';

const contract = catalogue.sessions.checkpointBuildSession;
type Context = HandlerContext<InputOf<typeof contract>>;

/**
 * S17: the handlers of the parts, in this one transaction: each with its own rules, scope and event, all or nothing.
 * The lead goes first: it refuses an ended session before anything else is looked at.
 */
export const checkpointBuildSessionHandler = implement(contract, async (context) => {
  const { input } = context;
  refuseMissingScopes(context);
  const id = input.build_session_id;
  await pingBuildSessionHandler.handle({ ...context, input: { build_session_id: id } });
  const lead = await prependLead(context);
  const decisions: OutputOf<typeof contract>['decisions'] = [];
  for (const decision of input.decisions ?? []) {
    const part = { ...context, input: ownSession(decision, id) };
    decisions.push((await appendDecisionLogHandler.handle(part)).decision);
  }
  const backlogItems: OutputOf<typeof contract>['backlog_items'] = [];
  for (const item of input.backlog_items ?? []) {
    const part = { ...context, input: ownSession(item, id) };
    backlogItems.push((await fileBacklogItemHandler.handle(part)).backlog_item);
  }
  return { lead, decisions, backlog_items: backlogItems, prs: await recordPrs(context) };
});

/** What names neither session nor project belongs to the session of the checkpoint. */
function ownSession<Part extends { build_session_id?: string | undefined; project?: string | undefined }>(
  part: Part,
  id: string,
): Part {
  return part.build_session_id === undefined && part.project === undefined ? { ...part, build_session_id: id } : part;
}

async function prependLead(context: Context): Promise<OutputOf<typeof contract>['lead']> {
  const { build_session_id, new_lead_markdown } = context.input;
  if (new_lead_markdown === undefined) return null;
  const input = { build_session_id, new_lead_markdown };
  const { build_session_id: _id, ...lead } = await prependBuildSessionLeadHandler.handle({ ...context, input });
  return lead;
}

async function recordPrs(context: Context): Promise<OutputOf<typeof contract>['prs']> {
  const { build_session_id, prs = [] } = context.input;
  if (prs.length === 0) return [];
  return (await recordBuildSessionPrsHandler.handle({ ...context, input: { build_session_id, prs } })).prs;
}

/** @throws DomainError `forbidden_scope` naming the first scope that a part needs and the caller lacks */
function refuseMissingScopes({ caller, input }: Context): void {
  const parts: [readonly unknown[] | undefined, OperationContract['scope']][] = [
    [input.decisions, catalogue.decisions.appendDecisionLog.scope],
    [input.backlog_items, catalogue.backlog.fileBacklogItem.scope],
    [input.prs, catalogue.sessions.recordBuildSessionPrs.scope],
  ];
  for (const [part, scope] of parts) {
    if (part === undefined || part.length === 0 || scope === 'any' || caller.scopes.has(scope)) continue;
    throw new DomainError('forbidden_scope', `This part of the checkpoint needs the scope ${scope}.`, { scope });
  }
}
