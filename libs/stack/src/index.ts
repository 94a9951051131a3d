export { launchStack, type LaunchOptions, type RunningStack } from './launcher/launch-stack.js';
export type { Credentials, StackFile } from './launcher/stack-file.js';
