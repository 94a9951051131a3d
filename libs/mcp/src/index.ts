export type { ToolCall } from './call-tool.js';
export { scopeOfCall } from './scope-of-call.js';
export { ownTools } from './own-tools.js';
export { createToolServer } from './server.js';
export { parseToolSets, toolSetNames, visibleTools } from './tool-list.js';
