import path from 'node:path';
import type { ClientName } from '../clients/transcript-client.js';

/** Whose transcripts are looked for. */
export interface Home {
  readonly folder: string;
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Where each client keeps its transcripts; folders that are not there are none. */
export const placesOf = (client: ClientName, home: Home): string[] => PLACES[client](home);

const PLACES: Readonly<Record<ClientName, (home: Home) => string[]>> = {
  'claude-code': claudeCodePlaces,
  codex: (home) => {
    const root = home.env['CODEX_HOME'] || path.join(home.folder, '.codex');
    // An active rollout and its archived copy have one id.
    return [path.join(root, 'sessions'), path.join(root, 'archived_sessions')];
  },
  'gemini-cli': ({ folder }) => [path.join(folder, '.gemini', 'tmp')],
  opencode: ({ folder, env }) => {
    const root = path.join(env['XDG_DATA_HOME'] || path.join(folder, '.local', 'share'), 'opencode', 'storage');
    return [path.join(root, 'message'), path.join(root, 'session')];
  },
  'copilot-cli': ({ folder }) => [path.join(folder, '.copilot', 'session-state')],
};

/** CLAUDE_CONFIG_DIR may name several folders, with commas between; a folder of the desktop application besides. */
function claudeCodePlaces({ folder, platform, env }: Home): string[] {
  const configured = (env['CLAUDE_CONFIG_DIR'] ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
  const config = env['XDG_CONFIG_HOME'] || path.join(folder, '.config');
  const roots = configured.length > 0 ? configured : [path.join(folder, '.claude'), path.join(config, 'claude')];
  const applications = {
    darwin: path.join(folder, 'Library', 'Application Support'),
    win32: env['APPDATA'] || path.join(folder, 'AppData', 'Roaming'),
  };
  const application = platform === 'darwin' || platform === 'win32' ? applications[platform] : config;
  return [
    ...roots.flatMap((root) => [path.join(root, 'projects'), path.join(root, 'transcripts')]),
    path.join(application, 'Claude', 'local-agent-mode-sessions'),
  ];
}
