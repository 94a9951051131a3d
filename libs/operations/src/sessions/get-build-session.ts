import { catalogue } from '@perdure/contracts';
import { implement } from '../dispatcher/implement.js';
import { requireBuildSession } from './find-build-session.js';

export const getBuildSessionHandler = implement(catalogue.sessions.getBuildSession, async ({ tx, input }) => ({
  build_session: await requireBuildSession(tx, input.build_session_id),
}));
