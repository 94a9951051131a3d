import type { Catalogue, OperationContract } from '@perdure/contracts';
import { issueCredentialHandler } from './access/issue-credential.js';
import { whoAmIHandler } from './access/who-am-i.js';
import { listAuditEventsHandler } from './audit/list-audit-events.js';
import { verifyAuditChainHandler } from './audit/verify-audit-chain.js';
import { appendDecisionLogHandler } from './decisions/append-decision-log.js';
import { getDecisionLogEntryHandler } from './decisions/get-decision-log-entry.js';
import { listDecisionLogHandler } from './decisions/list-decision-log.js';
import type { Implementation } from './dispatcher/implement.js';
import { createWorkspaceHandler } from './platform/create-workspace.js';
import { createProjectHandler } from './projects/create-project.js';
import { listProjectsHandler } from './projects/list-projects.js';
import { endBuildSessionHandler } from './sessions/end-build-session.js';
import { getBuildSessionAggregateHandler } from './sessions/get-build-session-aggregate.js';
import { getBuildSessionHandler } from './sessions/get-build-session.js';
import { listBuildSessionsHandler } from './sessions/list-build-sessions.js';
import { pingBuildSessionHandler } from './sessions/ping-build-session.js';
import { prependBuildSessionLeadHandler } from './sessions/prepend-build-session-lead.js';
import { startBuildSessionHandler } from './sessions/start-build-session.js';

/** One handler for each contract: an operation without one does not compile. */
type Handlers = {
  readonly [Area in keyof Catalogue]: {
    readonly [Name in keyof Catalogue[Area]]: Catalogue[Area][Name] extends OperationContract
      ? Implementation<Catalogue[Area][Name]>
      : never;
  };
};

const handlers: Handlers = {
  projects: { createProject: createProjectHandler, listProjects: listProjectsHandler },
  sessions: {
    startBuildSession: startBuildSessionHandler,
    pingBuildSession: pingBuildSessionHandler,
    prependBuildSessionLead: prependBuildSessionLeadHandler,
    endBuildSession: endBuildSessionHandler,
    listBuildSessions: listBuildSessionsHandler,
    getBuildSession: getBuildSessionHandler,
    getBuildSessionAggregate: getBuildSessionAggregateHandler,
  },
  decisions: {
    appendDecisionLog: appendDecisionLogHandler,
    getDecisionLogEntry: getDecisionLogEntryHandler,
    listDecisionLog: listDecisionLogHandler,
  },
  audit: { listAuditEvents: listAuditEventsHandler, verifyAuditChain: verifyAuditChainHandler },
  access: { whoAmI: whoAmIHandler, issueCredential: issueCredentialHandler },
  platform: { createWorkspace: createWorkspaceHandler },
};

const byName = new Map(
  Object.values(handlers).flatMap((area) =>
    // Each is an implementation of its own contract; the dispatcher pairs it with that contract's parsed input.
    (Object.values(area) as unknown as Implementation[]).map((handler) => [handler.contract.name, handler] as const),
  ),
);

/** @throws Error when there is none: contracts come from the catalogue, so that is a fault of ours */
export function findImplementation(name: string): Implementation {
  const found = byName.get(name);
  if (found === undefined) throw new Error(`no handler for ${name}`);
  return found;
}
