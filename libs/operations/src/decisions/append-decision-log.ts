import { catalogue } from '@perdure/contracts';
import { implement } from '../dispatcher/implement.js';
import { insertDecision } from './insert-decision.js';
import { resolveSource } from '../sources/resolve-source.js';

export const appendDecisionLogHandler = implement(
  catalogue.decisions.appendDecisionLog,
  async ({ tx, caller, input, now, newId, audit }) => {
    const source = await resolveSource(tx, caller, input);
    const id = newId();
    const kind = input.kind ?? 'decision';
    const eventId = audit({
      type: 'decision.appended',
      subjectId: id,
      payload: {
        project_id: source.projectId,
        build_session_id: source.buildSessionId,
        title: input.title,
        decided_on: input.decided_on,
        changes_public_contract: input.changes_public_contract,
        kind,
      },
    });
    const decision = await insertDecision(tx, {
      id,
      projectId: source.projectId,
      buildSessionId: source.buildSessionId,
      actorId: caller.actor.id,
      title: input.title,
      rationale: input.rationale_markdown,
      decidedOn: input.decided_on,
      changesPublicContract: input.changes_public_contract,
      kind,
      tags: input.tags ?? [],
      paths: input.paths ?? [],
      supersedesId: null,
      now,
      eventId,
    });
    if (decision === null) throw new Error('an entry that corrects none cannot be a second correction');
    return { decision, linked_by: source.linkedBy, other_open_sessions: [...source.otherOpenSessions] };
  },
);
