// Makes the installation's platform credential, a workspace `demo` with one credential of each preset and a sign-in link
// for its owner, and prints them once: they stand nowhere else. Run again, it makes new ones beside the old.
import { createRequire } from 'node:module';

const { bootstrapInstallation, operatorSignInUrl, seedDemo } = createRequire(import.meta.url)('@perdure/operations');

const WANTED = ['PERDURE_DATABASE_OWNER_URL', 'PERDURE_DATABASE_URL', 'PERDURE_MCP_URL', 'PERDURE_API_URL'];
const EX_CONFIG = 78;

const missing = WANTED.filter((name) => !process.env[name]);
if (missing.length > 0) {
  console.error(`first-workspace: not set: ${missing.join(', ')}`);
  process.exit(EX_CONFIG);
}
const [ownerUrl, appUrl, mcpUrl, apiUrl] = WANTED.map((name) => process.env[name]);

const { platformToken } = await bootstrapInstallation(ownerUrl);
const demo = await seedDemo({ appUrl, platformToken });
console.log(JSON.stringify({ ...demo, platform_token: platformToken }, null, 2));
console.log(
  `\nConnect Claude Code (project ${demo.project}):\n` +
    `  claude mcp add --transport http perdure ${mcpUrl} --header "Authorization: Bearer ${demo.agent_token}"`,
);
const signInUrl = await operatorSignInUrl({ ownerUrl, workspace: demo.workspace_id, apiUrl });
console.log(`\nSign in as its owner (once, within the hour):\n  ${signInUrl}`);
