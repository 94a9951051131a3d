import { catalogue } from '../catalogue.js';
import { exampleOf, SAMPLE } from './example.js';

const { recordBuildSessionUsage, submitUsageBatch, getUsageBatch, summariseUsage, exportUsage } = catalogue.usage;

const transcript = {
  transcript_id: 'claude-code:6f0d3c52-9a1e-4b7c-8d20-5e4f3a2b1c09',
  client: 'claude-code',
  version: { generation: 1, complete_bytes: 184_320, records: 212 },
  first_at: '2026-11-30T09:12:44.120Z',
  last_at: '2026-11-30T10:03:08.951Z',
  prompts: 6,
  models: [
    {
      model: 'claude-opus-4-5',
      turns: 38,
      input_tokens: 1_204,
      output_tokens: 21_877,
      cache_write_5m_tokens: 310_442,
      cache_write_1h_tokens: 0,
      cache_read_tokens: 4_120_338,
    },
  ],
};

export const usageExamples = [
  exampleOf(recordBuildSessionUsage, { build_session_id: SAMPLE.session, transcripts: [transcript] }),
  exampleOf(
    submitUsageBatch,
    {
      batch_key: 'backfill-2026-11-30-a',
      reports: [
        { build_session_id: SAMPLE.session, ...transcript },
        {
          project: 'payments',
          ...transcript,
          transcript_id: 'codex:019a5c1e-3b7d-7f42-9c66-0d1e2f3a4b5c',
          client: 'codex',
        },
      ],
    },
    { [SAMPLE.batch]: 'batch_id' },
  ),
  exampleOf(getUsageBatch, { batch_id: SAMPLE.batch }),
  exampleOf(summariseUsage, {
    from: '2026-11-01',
    to: '2026-11-30',
    timezone: 'Europe/Berlin',
    group_by: ['day', 'model'],
  }),
  exampleOf(exportUsage, { from: '2026-11-01', to: '2026-11-30', format: 'csv' }),
];
