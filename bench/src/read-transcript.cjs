// `node read-transcript.cjs FILE`: what the reader as built says of one Claude Code transcript. A process of its own, whose
// time and memory transcript-reading.ts measures.
const { readTranscripts } = require('@perdure/transcripts');

readTranscripts([{ client: 'claude-code', path: process.argv[2], id: 'bench' }]).then(({ transcripts }) => {
  process.stdout.write(JSON.stringify(transcripts[0].report));
});
