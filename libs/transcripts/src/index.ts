export { CLIENT_NAMES, type ClientName } from './clients/transcript-client.js';
export { findTranscripts, transcriptsAt, type FoundTranscript } from './finding/find-transcripts.js';
export type { Home } from './finding/places.js';
export { readTranscripts, type ReadOptions, type ReadTranscripts, type TranscriptFile } from './read-transcripts.js';
export type { ReadTranscript, UsageOfDay } from './report.js';
export { TranscriptReading, type FileIdentity } from './transcript-reading.js';
export type { SavedReading } from './saved-reading.js';
export type { TokenClasses, Usage } from './token-classes.js';
