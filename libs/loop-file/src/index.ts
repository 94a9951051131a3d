export { LOOP_FILE, openLoopFile } from './loop-file.js';
export type { CountedCall, LoopFile, LoopFileOptions, LoopFileState, RecordedMeasurement } from './loop-file.js';
export { loopLimits, type LoopSettings } from './loop-limits.js';
export type { LoopFileWarning, RunHalf, WorkHalf } from './loop-state.js';
export { LoopFileError } from './refusals.js';
