import { catalogue, DomainError } from '@perdure/contracts';
import type { Transaction } from '@perdure/store';
import { implement } from '../dispatcher/implement.js';
import { requireDecision } from './find-decision.js';
import { insertDecision } from './insert-decision.js';
import { resolveSource } from '../sources/resolve-source.js';

export const correctDecisionLogHandler = implement(
  catalogue.decisions.correctDecisionLog,
  async ({ tx, caller, input, now, newId, audit }) => {
    const earlier = await requireDecision(tx, input.supersedes_decision_id);
    const source = await resolveSource(tx, caller, { project: earlier.project_id });
    const id = newId();
    const kind = input.kind ?? earlier.kind;
    const eventId = newId();
    const decision = await insertDecision(tx, {
      id,
      projectId: earlier.project_id,
      buildSessionId: source.buildSessionId,
      actorId: caller.actor.id,
      title: input.title,
      rationale: input.rationale_markdown,
      decidedOn: input.decided_on,
      changesPublicContract: input.changes_public_contract,
      kind,
      tags: input.tags ?? earlier.tags,
      paths: input.paths ?? earlier.paths,
      supersedesId: earlier.id,
      now,
      eventId,
    });
    if (decision === null) throw await alreadySuperseded(tx, earlier.id);
    audit({
      type: 'decision.corrected',
      subjectId: id,
      payload: {
        supersedes_decision_id: earlier.id,
        project_id: earlier.project_id,
        build_session_id: source.buildSessionId,
        title: input.title,
        decided_on: input.decided_on,
        changes_public_contract: input.changes_public_contract,
        kind,
      },
      eventId,
    });
    return { decision, superseded: await requireDecision(tx, earlier.id) };
  },
);

/** D4: the second of two corrections at once has waited for the first, and is told which it was. */
async function alreadySuperseded(tx: Transaction, id: string): Promise<DomainError> {
  const { superseded_by_decision_id: first } = await requireDecision(tx, id);
  return new DomainError('already_superseded', 'The decision has been corrected already.', {
    decision_id: id,
    superseded_by_decision_id: first,
  });
}
