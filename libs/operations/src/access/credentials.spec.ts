import { catalogue } from '@perdure/contracts';
import { createTestInstallation, refusalOf, type TestInstallation, type TestWorkspace } from '@perdure/testkit';
import { Client } from 'pg';
import { mintToken, readToken, TOKEN_PATTERN } from './token.js';

const { access } = catalogue;
const ID = '01K5ZQ8W3M9X7B2C4D6E8F0G1H';
/** As the test kit configures it. */
const MCP_URL = 'http://127.0.0.1:7401/mcp';

describe('tokens', () => {
  it('I2: 1,000 tokens have the documented form and differ', () => {
    const tokens = Array.from({ length: 1_000 }, () => mintToken(ID).token);
    expect(new Set(tokens).size).toBe(1_000);
    for (const token of tokens) expect(token).toMatch(TOKEN_PATTERN);
  });

  it('I2: changing any one character is noticed without a look-up', () => {
    const { token } = mintToken(ID);
    for (let index = 0; index < token.length; index += 1) {
      const other = token[index] === 'a' ? 'b' : 'a';
      expect(readToken(token.slice(0, index) + other + token.slice(index + 1))).toBeNull();
    }
    expect(readToken(token)?.id).toBe(ID);
  });
});

describe('credentials', () => {
  let installation: TestInstallation;
  let workspace: TestWorkspace;
  let now = new Date('2026-11-30T12:00:00.000Z');

  beforeAll(async () => {
    installation = await createTestInstallation({ clock: () => now });
    workspace = await installation.workspace();
  });
  afterAll(() => installation.close());

  it('I2: a credential says who it is, and its secret is stored nowhere', async () => {
    const { caller, token } = await workspace.actor('keeper');
    const me = await installation.call(access.whoAmI, { caller, token }, {});
    expect(me).toMatchObject({
      workspace: { id: workspace.id },
      actor: { name: 'keeper', kind: 'agent' },
      expires_at: null,
    });
    const client = new Client({ connectionString: installation.database.superuserUrl });
    await client.connect();
    const { rows } = await client.query<{ dump: string }>(`SELECT string_agg(c::text, ',') AS dump FROM credential c`);
    await client.end();
    expect(rows[0]?.dump).not.toContain(token.split('_').at(-1));
  });

  it('I2: a credential ends when it expires, also on the process that knows it', async () => {
    const { secret } = await installation.call(access.issueCredential, workspace.owner, {
      actor: 'short',
      preset: 'agent',
      expires_at: '2026-11-30T14:00:00+01:00',
    });
    expect(await installation.operations.authenticate(secret ?? '')).toMatchObject({
      expiresAt: '2026-11-30T13:00:00.000Z',
    });
    now = new Date('2026-11-30T13:00:00.000Z');
    expect(await installation.operations.authenticate(secret ?? '')).toBeNull();
    const past = installation.call(access.issueCredential, workspace.owner, {
      actor: 'late',
      preset: 'agent',
      expires_at: '2026-11-30T13:00:00Z',
    });
    expect((await refusalOf(past)).code).toBe('invalid_input');
  });

  it('I2: a token that was never issued is nobody', async () => {
    expect(await installation.operations.authenticate(mintToken(ID).token)).toBeNull();
    expect(await installation.operations.authenticate('Bearer')).toBeNull();
  });

  it.each([
    ['cursor', 'mcpServers', 'url'],
    ['gemini_cli', 'mcpServers', 'httpUrl'],
    ['vscode', 'servers', 'url'],
  ] as const)('I2: the configuration for %s is what its file holds', async (client, servers, url) => {
    const { secret, mcp_config } = await installation.call(access.issueCredential, workspace.owner, {
      actor: 'configured',
      preset: 'agent',
      form: 'mcp_config',
      client,
    });
    expect(JSON.parse(mcp_config ?? '')).toMatchObject({
      [servers]: { perdure: { [url]: MCP_URL, headers: { Authorization: `Bearer ${secret}` } } },
    });
  });

  it.each([
    [
      'claude_code',
      (secret: string) =>
        `claude mcp add --transport http perdure ${MCP_URL} --header "Authorization: Bearer ${secret}"`,
    ],
    [
      'codex',
      (secret: string) =>
        `[mcp_servers.perdure]\nurl = "${MCP_URL}"\nhttp_headers = { Authorization = "Bearer ${secret}" }\n`,
    ],
  ] as const)('I2: the configuration for %s is its command or file', async (client, expected) => {
    const { secret, mcp_config } = await installation.call(access.issueCredential, workspace.owner, {
      actor: 'configured',
      preset: 'agent',
      form: 'mcp_config',
      client,
    });
    expect(mcp_config).toBe(expected(secret ?? ''));
  });

  it('I5: nobody grants what they do not hold, and a preset or scopes are needed, not both', async () => {
    const platform = installation.call(access.issueCredential, workspace.owner, {
      actor: 'x',
      scopes: ['platform:admin'],
    });
    expect(await refusalOf(platform)).toMatchObject({ code: 'forbidden_scope', details: { scope: 'platform:admin' } });
    const both = installation.call(access.issueCredential, workspace.owner, {
      actor: 'x',
      preset: 'agent',
      scopes: ['audit:read'],
    });
    expect((await refusalOf(both)).code).toBe('invalid_input');
  });

  it('I5: each operation refuses a caller without its scope and names it', async () => {
    const { caller } = await workspace.actor('nobody', 'reporter');
    const bare = { ...caller, scopes: new Set<never>() };
    const refused = await refusalOf(
      installation.operations.run(catalogue.projects.listProjects, bare, {}, { requestId: 'test' }),
    );
    expect(refused).toMatchObject({ code: 'forbidden_scope', details: { scope: 'projects:read' } });
  });

  it('I4: a platform credential creates workspaces and reads nothing of them', async () => {
    const listed = installation.call(catalogue.projects.listProjects, installation.platform, {});
    expect((await refusalOf(listed)).code).toBe('forbidden_scope');
    const taken = installation.call(catalogue.platform.createWorkspace, installation.platform, {
      name: 'x',
      slug: 'installation',
    });
    expect((await refusalOf(taken)).code).toBe('slug_taken');
  });
});
