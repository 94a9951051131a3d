import { catalogue } from '@perdure/contracts';
import { applyReports, usageOfSession } from '@perdure/store';
import { implement } from '../dispatcher/implement.js';
import { requireSessionId } from '../sessions/find-build-session.js';
import { countReports } from './count-reports.js';

export const recordBuildSessionUsageHandler = implement(
  catalogue.usage.recordBuildSessionUsage,
  async ({ tx, caller, input, now, quota }) => {
    const { build_session_id, transcripts } = input;
    await requireSessionId(tx, build_session_id);
    const lines = transcripts.map((transcript, index) => ({
      line: index + 1,
      report: { ...transcript, build_session_id },
    }));
    const results = await applyReports(tx, lines, { actorId: caller.actor.id, reportedAt: now });
    const totals = await usageOfSession(tx, build_session_id);
    if (totals === undefined) throw new Error('the session was there a statement ago');
    await countReports(tx, { reports: transcripts.length, now, limit: (await quota).usageReportsPerDay });
    return {
      results: results.map(({ line, status }) => {
        if (status === 'rejected') throw new Error('nothing here names what could be missing');
        return { transcript_id: transcripts[line - 1]?.transcript_id ?? '', status };
      }),
      totals,
    };
  },
);
