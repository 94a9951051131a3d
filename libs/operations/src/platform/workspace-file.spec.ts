import { gunzipSync } from 'node:zlib';
import { catalogue } from '@perdure/contracts';
import { createTestInstallation, refusalOf, type TestInstallation, type TestWorkspace } from '@perdure/testkit';
import { Decrypter, generateHybridIdentity, generateX25519Identity, identityToRecipient } from 'age-encryption';
import { Client } from 'pg';

const { platform } = catalogue;
const CANARY = 'a canary in the rationale';

interface Line {
  readonly table?: string;
  readonly row?: Record<string, unknown>;
  readonly [key: string]: unknown;
}

describe('the export of a workspace', () => {
  let installation: TestInstallation;
  let workspace: TestWorkspace;
  let other: TestWorkspace;

  beforeAll(async () => {
    installation = await createTestInstallation();
    workspace = await installation.workspace();
    other = await installation.workspace('other');
    for (const [owner, title] of [
      [workspace.owner, 'ours'],
      [other.owner, 'theirs'],
    ] as const) {
      const { project } = await installation.call(catalogue.projects.createProject, owner, { name: 'p' });
      await installation.call(catalogue.decisions.appendDecisionLog, owner, {
        project: project.id,
        title,
        rationale_markdown: CANARY,
        decided_on: '2026-11-30',
        changes_public_contract: false,
      });
    }
  });
  afterAll(() => installation.close());

  const exportTo = (encrypt_to: string, takesDownload: boolean) =>
    installation.operations.run(
      platform.exportWorkspace,
      installation.platform.caller,
      { workspace: workspace.id, encrypt_to },
      { requestId: 'test', takesDownload },
    );

  async function openFile(bytes: Uint8Array, identity: string): Promise<Line[]> {
    const decrypter = new Decrypter();
    decrypter.addIdentity(identity);
    const text = gunzipSync(await decrypter.decrypt(bytes)).toString('utf8');
    return text
      .trim()
      .split('\n')
      .map((line): Line => JSON.parse(line));
  }

  it.each([
    ['X25519', generateX25519Identity],
    ['post-quantum', generateHybridIdentity],
  ])('I4: holds every row of the workspace and none of another, for a %s key alone', async (_kind, generate) => {
    const identity = await generate();
    const { download, output } = await exportTo(await identityToRecipient(identity), true);
    expect(output['content_base64']).toBeNull();
    expect(download?.fileName).toMatch(/^acme-\d+-\d{4}-\d\d-\d\d\.ndjson\.gz\.age$/);
    const chunks: Uint8Array[] = [];
    for await (const chunk of download?.bytes ?? []) chunks.push(chunk);
    const file = Buffer.concat(chunks);
    expect(file.includes('canary')).toBe(false);
    const [first, ...lines] = await openFile(file, identity);
    const end = lines.pop();
    expect(first).toMatchObject({ format: 'perdure-workspace', version: 1, workspace: { id: workspace.id } });
    const counts: Record<string, number> = {};
    for (const { table = '', row } of lines) {
      counts[table] = (counts[table] ?? 0) + 1;
      expect(row?.['workspace_id']).toBe(workspace.id);
    }
    expect(end).toEqual({ end: true, rows: counts });
    expect(counts).toEqual(await rowsInDatabase());
    expect(JSON.stringify(lines)).toContain(CANARY);
    expect(lines.find(({ table }) => table === 'credential')?.row).not.toHaveProperty('secret_digest');
  });

  it('I4: comes inside the answer where nothing can be streamed', async () => {
    const identity = await generateX25519Identity();
    const { download, output } = await exportTo(await identityToRecipient(identity), false);
    expect(download).toBeUndefined();
    const lines = await openFile(Buffer.from(String(output['content_base64']), 'base64'), identity);
    expect(JSON.stringify(lines)).toContain(CANARY);
  });

  it('I4: is made while it is read, and reading that is broken off ends the transaction behind it', async () => {
    const large = await installation.workspace('large');
    await asSuperuser((client) =>
      client.query(
        `INSERT INTO actor (workspace_id, id, name, kind, created_at)
         SELECT $1, '01K5ZQ8W3M9X7B2C4D6' || lpad(n::text, 7, '0'), md5(n::text) || md5((n + 1)::text), 'agent', now()
         FROM generate_series(1, 50000) AS n`,
        [large.id],
      ),
    );
    const encrypt_to = await identityToRecipient(await generateX25519Identity());
    const { download } = await installation.operations.run(
      platform.exportWorkspace,
      installation.platform.caller,
      { workspace: large.id, encrypt_to },
      { requestId: 'test', takesDownload: true },
    );
    const reading = async () => {
      const { rows } = await asSuperuser((client) =>
        client.query(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'FETCH%' AND xact_start IS NOT NULL`,
        ),
      );
      return rows.length;
    };
    let seen = 0;
    for await (const chunk of download?.bytes ?? []) {
      expect(chunk.length).toBeGreaterThan(0);
      seen = await reading();
      break;
    }
    expect(seen).toBe(1);
    while ((await reading()) > 0) await new Promise((resolve) => setTimeout(resolve, 20));
  });

  it('I4: a PGP key, a mistyped key and a workspace that is none are refused, and nothing is written down', async () => {
    const key = await identityToRecipient(await generateX25519Identity());
    const mistyped = key.slice(0, -1) + (key.endsWith('q') ? 'p' : 'q');
    const pgp = '-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nmDMEZ\n-----END PGP PUBLIC KEY BLOCK-----';
    const before = (await exportEvents()).length;
    for (const bad of [pgp, mistyped, 'age1']) {
      const refusal = await refusalOf(exportTo(bad, true));
      expect(refusal).toMatchObject({ code: 'invalid_input', details: { fields: [{ path: 'encrypt_to' }] } });
    }
    expect((await refusalOf(exportTo(pgp, true))).message).toContain('age');
    const ofInstallation = installation.call(platform.exportWorkspace, installation.platform, {
      workspace: 'installation',
      encrypt_to: key,
    });
    expect((await refusalOf(ofInstallation)).code).toBe('not_found');
    expect(await exportEvents()).toHaveLength(before);
  });

  const exportEvents = async () =>
    (
      await asSuperuser((client) =>
        client.query<{ subject_id: string }>(`SELECT subject_id FROM audit_event WHERE type = 'workspace.exported'`),
      )
    ).rows;

  /** Of every table but those that an export leaves out. */
  async function rowsInDatabase(): Promise<Record<string, number>> {
    return asSuperuser(async (client) => {
      const { rows } = await client.query<{ name: string }>(
        `SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'workspace_id'
         WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'
           AND NOT c.relname IN ('idempotency_record', 'sign_in_link', 'web_session')`,
      );
      const counts: Record<string, number> = {};
      for (const { name } of rows) {
        const found = await client.query(`SELECT FROM ${name} WHERE workspace_id = $1`, [workspace.id]);
        if (found.rows.length > 0) counts[name] = found.rows.length;
      }
      return counts;
    });
  }

  async function asSuperuser<Result>(work: (client: Client) => Promise<Result>): Promise<Result> {
    const client = new Client({ connectionString: installation.database.superuserUrl });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  }
});
