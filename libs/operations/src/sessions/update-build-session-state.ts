import { catalogue, DomainError } from '@perdure/contracts';
import { implement } from '../dispatcher/implement.js';
import { assertFits } from './current-state.js';
import { lockState, writeState } from './locked-state.js';

export const updateBuildSessionStateHandler = implement(
  catalogue.sessions.updateBuildSessionState,
  async ({ tx, input, now }) => {
    const { build_session_id: id, current_state_markdown: state, if_version: expected } = input;
    assertFits(state);
    const before = await lockState(tx, id);
    if (expected !== undefined && expected !== before.state_version) {
      throw new DomainError(
        'version_conflict',
        `The current state is at version ${before.state_version}, not ${expected}: somebody wrote it meanwhile.`,
        { current_version: before.state_version, state_version: before.state_version },
      );
    }
    const unchanged = state === before.current_state_markdown;
    return {
      build_session_id: id,
      state_version: unchanged ? before.state_version : await writeState(tx, { id, state, now }),
    };
  },
);
