import { isObject, objectAt, textAt, textOfBytes, type JsonObject } from '../lines/json-value.js';
import { linesWith } from '../lines/line-filter.js';
import { addPrompt, addResponse, countOf, instantOf } from '../transcript-state.js';
import { withoutParts, type RecordTarget, type TranscriptClient } from './transcript-client.js';

/**
 * Copilot CLI: usage stands in `session.shutdown` alone, by model, one for each leg of a session whose counters begin
 * anew on resume (PanAchy/copilot-arewecooked#45): they add up. A leg that ended without one is lost to every reader.
 * Its responses are known by their number only, so none are listed.
 */
export const copilotCli: TranscriptClient = {
  name: 'copilot-cli',
  kept: {
    names: new Set(['type', 'id', 'timestamp', 'data', 'sessionId', 'startTime']),
    whole: new Set(['modelMetrics']),
  },
  hasNoResponseList: true,
  createFilter: () => linesWith(['session.shutdown', 'session.start', 'user.message']),
  take(record, target) {
    const data = objectAt(record, 'data') ?? {};
    const { transcript } = target;
    if (record['type'] === 'session.start') {
      transcript.startedAt ??= instantOf(data['startTime'] ?? record['timestamp'], transcript.faults);
    } else if (record['type'] === 'user.message') {
      const key = textAt(record, 'id') ?? `line ${target.offset}`;
      addPrompt(transcript, {
        key,
        at: instantOf(record['timestamp'], transcript.faults),
        identity: textAt(record, 'id'),
      });
    } else if (record['type'] === 'session.shutdown') {
      takeShutdown(record, objectAt(data, 'modelMetrics') ?? {}, target);
    }
  },
  classesOf([input = 0, read = 0, written = 0, output = 0], faults) {
    return {
      input_tokens: withoutParts(input, read + written, faults),
      output_tokens: output,
      cache_write_5m_tokens: written,
      cache_write_1h_tokens: 0,
      cache_read_tokens: read,
    };
  },
};

function takeShutdown(record: JsonObject, metrics: JsonObject, { transcript, offset }: RecordTarget): void {
  const { faults } = transcript;
  const at = instantOf(record['timestamp'], faults);
  const id = textAt(record, 'id');
  for (const [name, metric] of Object.entries(metrics)) {
    const model = textOfBytes(name);
    const usage = isObject(metric) && objectAt(metric, 'usage');
    if (!usage) continue;
    const turns = countOf(objectAt(metric, 'requests')?.['count'], faults);
    const figures = ['inputTokens', 'cacheReadTokens', 'cacheWriteTokens', 'outputTokens'].map((name) =>
      countOf(usage[name], faults),
    );
    const key = `${id ?? `line ${offset}`} ${model}`;
    addResponse(transcript, {
      key,
      at,
      model,
      figures,
      turns,
      identity: id === null ? `${transcript.id} ${key}` : key,
    });
  }
}
