import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { outsideTools, runTool, type RunningTool } from './outside-tools.js';

export interface Inspector {
  /** Runs `mcp-inspector --cli` against an address. */
  readonly start: (url: string, args: readonly string[]) => RunningTool;
  /** Forgets what it stored. */
  readonly close: () => void;
}

/** Its own limit of 15 s for connecting is short for a busy machine. */
const ALWAYS = ['--transport', 'http', '--format', 'json', '--connect-timeout', '120000'];

/** The MCP Inspector with a home of its own: whatever it remembers stays out of the home of whoever runs the tests. */
export function inspector(): Inspector {
  const home = mkdtempSync(path.join(os.tmpdir(), 'perdure-inspector-'));
  const env = {
    HOME: home,
    MCP_STORAGE_DIR: path.join(home, 'storage'),
    MCP_INSPECTOR_SECRET_STORE: 'memory',
    // It has no terminal here, and would not begin to ask for approval.
    MCP_AUTO_OPEN_ENABLED: 'true',
    // What it would open the page with; the test opens it.
    BROWSER: 'true',
  };
  return {
    start: (url, args) => runTool(outsideTools().inspector, ['--cli', url, ...ALWAYS, ...args], env),
    close: () => rmSync(home, { recursive: true, force: true }),
  };
}
