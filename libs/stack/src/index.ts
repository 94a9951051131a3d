export { explainLaunchFailure, type LaunchCommand } from './launcher/explain-launch-failure.js';
export { launchStack, type LaunchOptions, type RunningStack } from './launcher/launch-stack.js';
export type { Credentials, StackFile } from './launcher/stack-file.js';
