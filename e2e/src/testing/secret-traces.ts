import type { Pool } from 'pg';

/** README of the cases: so many characters in a row of a secret's own part are a trace of it. */
const RUN = 10;

const runsOf = (text: string): string[] =>
  Array.from({ length: Math.max(0, text.length - RUN + 1) }, (_, index) => text.slice(index, index + RUN));

const hashAt = (text: string, index: number): number =>
  (text.charCodeAt(index) * 961 + text.charCodeAt(index + 1) * 31 + text.charCodeAt(index + 2)) & 0xffff;

/** Looks for any ten characters in a row of any secret, whatever their case (a search index has words in lower case). */
export class SecretTraces {
  private readonly runs = new Map<string, string>();
  /** Whether any run begins with three characters of that hash: most places of a text are done with by one look. */
  private readonly beginnings = new Uint8Array(1 << 16);

  /** @param harmless texts that may be stored and share some runs with a secret: those runs prove nothing */
  constructor(secrets: readonly { id: string; hidden: string }[], harmless: readonly string[] = []) {
    const shared = new Set(harmless.flatMap((text) => runsOf(text.toLowerCase())));
    for (const { id, hidden } of secrets) {
      for (const run of runsOf(hidden.toLowerCase()).filter((one) => !shared.has(one))) {
        this.runs.set(run, id);
        this.beginnings[hashAt(run, 0)] = 1;
      }
    }
  }

  /** Ids of the secrets that the text holds a trace of; as it stands, or as the bytes of a column in hex. */
  in(text: string): string[] {
    const found = new Set<string>();
    for (const form of [text.toLowerCase(), ...bytesIn(text)]) {
      for (let index = 0; index + RUN <= form.length; index += 1) {
        if (this.beginnings[hashAt(form, index)] === 0) continue;
        const id = this.runs.get(form.substring(index, index + RUN));
        if (id !== undefined) found.add(id);
      }
    }
    return [...found];
  }
}

/** What Postgres writes as `\x…`, read as text. */
const bytesIn = (text: string): string[] =>
  [...text.matchAll(/\\x((?:[0-9a-f]{2}){10,})/g)].map(([, hex = '']) =>
    Buffer.from(hex, 'hex').toString('latin1').toLowerCase(),
  );

/** Every row of every table, whatever its schema, as text: `schema.table` and its rows. */
export async function storedRows(admin: Pool): Promise<Map<string, string>> {
  const { rows: tables } = await admin.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
     WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
  );
  const stored = new Map<string, string>();
  for (const { name } of tables) {
    const { rows } = await admin.query<{ content: string | null }>(
      `SELECT string_agg(t::text, E'\\n') AS content FROM ${name} t`,
    );
    stored.set(name, rows[0]?.content ?? '');
  }
  return stored;
}

/** The files of every index, byte for byte: what a row that was never stored cannot have left there either. */
export async function indexFiles(admin: Pool): Promise<Map<string, string>> {
  await admin.query('CHECKPOINT');
  const { rows } = await admin.query<{ name: string; bytes: Buffer }>(
    `SELECT c.relname AS name, pg_read_binary_file(pg_relation_filepath(c.oid)) AS bytes FROM pg_class c
     JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relkind = 'i' AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast')`,
  );
  return new Map(rows.map(({ name, bytes }) => [name, bytes.toString('latin1')]));
}
