export { callTool, type ToolCall } from './call-tool.js';
export { scopeOfCall } from './scope-of-call.js';
export { ownTools } from './own-tools.js';
export { getPrompt, promptDefinitions } from './prompts.js';
export { readResource, resourceTemplates } from './resources.js';
export { createToolServer } from './server.js';
export { parseToolSets, toolSetNames, visibleTools } from './tool-list.js';
