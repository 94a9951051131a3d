export type { ToolCall } from './call-tool.js';
export { createToolServer } from './server.js';
export { parseToolSets } from './tool-list.js';
