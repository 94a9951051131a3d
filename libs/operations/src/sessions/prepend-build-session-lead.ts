import { catalogue, DomainError, isBlank } from '@perdure/contracts';
import { implement } from '../dispatcher/implement.js';
import { prependLead } from './current-state.js';
import { lockState, writeState } from './locked-state.js';

export const prependBuildSessionLeadHandler = implement(
  catalogue.sessions.prependBuildSessionLead,
  async ({ tx, input, now }) => {
    const id = input.build_session_id;
    if (isBlank(input.new_lead_markdown)) {
      const fields = [{ path: 'new_lead_markdown', message: 'must hold at least one visible character' }];
      throw new DomainError(
        'invalid_input',
        'Invalid input. new_lead_markdown: must hold at least one visible character',
        { fields },
      );
    }
    const before = await lockState(tx, id);
    const { state, changed, droppedLeads } = prependLead(
      before.current_state_markdown,
      input.new_lead_markdown,
      input.on_overflow ?? 'reject',
    );
    const version = changed ? await writeState(tx, { id, state, now }) : before.state_version;
    return { build_session_id: id, current_state_markdown: state, state_version: version, dropped_leads: droppedLeads };
  },
);
