import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  existsSync,
  symlinkSync,
  lstatSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { ClientName, ReadTranscript, TokenClasses, UsageOfDay } from './index.js';
import { readTranscripts, transcriptsAt } from './index.js';

type ShortUsage = Partial<
  Record<'input' | 'output' | 'cache_write_5m' | 'cache_write_1h' | 'cache_read' | 'turns', number>
>;

interface Figures {
  total?: ShortUsage;
  models?: Record<string, ShortUsage>;
  prompts?: number;
  first_at?: string;
  last_at?: string;
  version?: Record<string, number>;
  parent_transcript_id?: string;
  replayed_responses?: number;
}

interface UsageCase extends Figures {
  client: ClientName;
  transcripts?: Record<string, Figures>;
  workspace_total?: Figures;
  session_total?: Figures;
  warnings?: string[];
  tail_incomplete?: boolean;
  days_utc?: Record<string, ShortUsage>;
  roots?: string[];
}

const KNOWN_KEYS = new Set([
  ...[
    'client',
    'issue',
    'why',
    'sources',
    'notes',
    'basis',
    'total',
    'models',
    'prompts',
    'first_at',
    'last_at',
    'version',
  ],
  ...['parent_transcript_id', 'transcripts', 'workspace_total', 'session_total', 'replayed_responses', 'warnings'],
  ...['tail_incomplete', 'days_utc', 'roots'],
]);

// The shape of the files is described in cases/usage/README.md.
const FOLDER = path.join(__dirname, '../../../cases/usage');
const ENDING = '.expected.json';
const names = readdirSync(FOLDER)
  .filter((name) => name.endsWith(ENDING))
  .map((name) => name.slice(0, -ENDING.length));
const caseOf = (name: string): UsageCase => JSON.parse(readFileSync(path.join(FOLDER, `${name}${ENDING}`), 'utf8'));

const shortOf = (usage: TokenClasses & { turns?: number }): Required<ShortUsage> => ({
  input: usage.input_tokens,
  output: usage.output_tokens,
  cache_write_5m: usage.cache_write_5m_tokens,
  cache_write_1h: usage.cache_write_1h_tokens,
  cache_read: usage.cache_read_tokens,
  turns: usage.turns ?? 0,
});

function sumOf(usages: readonly ShortUsage[]): ShortUsage {
  const sum: Required<ShortUsage> = {
    input: 0,
    output: 0,
    cache_write_5m: 0,
    cache_write_1h: 0,
    cache_read: 0,
    turns: 0,
  };
  for (const usage of usages) {
    // The keys of `sum` are these.
    for (const key of Object.keys(sum) as (keyof ShortUsage)[]) sum[key] += usage[key] ?? 0;
  }
  return sum;
}

function grouped<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

/** The keys of `expected` out of reports that stand for one thing together. */
function figuresOf(read: readonly ReadTranscript[], expected: Figures): Figures {
  const reports = read.map(({ report }) => report);
  const byModel = grouped(
    reports.flatMap(({ models }) => models),
    ({ model }) => model,
  );
  const [first] = reports;
  const all: Required<Figures> = {
    total: sumOf(reports.flatMap(({ models }) => models.map(shortOf))),
    models: Object.fromEntries([...byModel].map(([model, usages]) => [model, sumOf(usages.map(shortOf))])),
    prompts: reports.reduce((sum, { prompts = 0 }) => sum + prompts, 0),
    first_at: first?.first_at ?? '',
    last_at: first?.last_at ?? '',
    version: Object.fromEntries(
      Object.entries(first?.version ?? {}).filter(([key]) => expected.version && key in expected.version),
    ),
    parent_transcript_id: first?.parent_transcript_id ?? '',
    replayed_responses: reports.reduce((sum, { replayed_responses: replayed = 0 }) => sum + replayed, 0),
  };
  return Object.fromEntries(Object.entries(all).filter(([key]) => key in expected));
}

const figuresIn = (expected: UsageCase | Figures): Figures =>
  Object.fromEntries(Object.entries(expected).filter(([key]) => FIGURES.has(key)));
const FIGURES = new Set([
  ...['total', 'models', 'prompts', 'first_at', 'last_at', 'version', 'parent_transcript_id', 'replayed_responses'],
]);

function daysOf(days: readonly UsageOfDay[], expected: Record<string, ShortUsage>): Record<string, ShortUsage> {
  const byDay = grouped(days, ({ day }) => day);
  return Object.fromEntries(
    [...byDay].map(([day, list]) => {
      const sum = Object.entries(sumOf(list.map(({ usage }) => shortOf(usage))));
      return [day, Object.fromEntries(sum.filter(([key]) => key in (expected[day] ?? {})))];
    }),
  );
}

describe('U5, U6: the usage cases of the repository', () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'perdure-usage-cases-'));
    cpSync(FOLDER, folder, { recursive: true });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** The first root that is a folder is real; the others become links to it. */
  function rootsOf(name: string, { roots }: UsageCase): string[] {
    const file = path.join(folder, `${name}.jsonl`);
    if (existsSync(file)) return [file];
    if (!roots) return [path.join(folder, name)];
    const paths = roots.map((root) => path.join(folder, name, root));
    const real = paths.find((one) => existsSync(one) && statSync(one).isDirectory());
    for (const one of paths) {
      if (one === real || real === undefined) continue;
      rmSync(one, { force: true });
      symlinkSync(real, one);
      expect(lstatSync(one).isSymbolicLink()).toBe(true);
    }
    return paths;
  }

  it('have only keys that are tested here', () => {
    expect(names.length).toBeGreaterThan(40);
    expect(names.flatMap((name) => Object.keys(caseOf(name))).filter((key) => !KNOWN_KEYS.has(key))).toEqual([]);
  });

  it.each(names)('U5: %s', async (name) => {
    const expected = caseOf(name);
    const files = await transcriptsAt(rootsOf(name, expected), expected.client);
    const { transcripts, unreadable } = await readTranscripts(files);
    expect(unreadable).toEqual([]);
    expect(figuresOf(transcripts, expected)).toEqual(figuresIn(expected));
    for (const [id, figures] of Object.entries(expected.transcripts ?? {})) {
      const read = transcripts.filter(({ report }) => report.transcript_id === id);
      expect([id, figuresOf(read, figures)]).toEqual([id, figures]);
    }
    if (expected.transcripts) {
      expect(transcripts.map(({ report }) => report.transcript_id)).toEqual(Object.keys(expected.transcripts));
    }
    for (const sum of [expected.workspace_total, expected.session_total]) {
      if (sum) expect(figuresOf(transcripts, sum)).toEqual(sum);
    }
    if (expected.days_utc) {
      const days = transcripts.flatMap((one) => one.days);
      expect(daysOf(days, expected.days_utc)).toEqual(expected.days_utc);
    }
    const warnings = transcripts.flatMap(({ report }) => report.warnings ?? []);
    // `bad_lines 2` is our wording too; others are known by their first word.
    expect(warnings.map((warning) => warning.split(' ')[0])).toEqual(
      expect.arrayContaining((expected.warnings ?? []).map((warning) => warning.split(' ')[0])),
    );
    if (expected.tail_incomplete) expect(warnings).toContain('tail_incomplete 1');
    if (!expected.warnings && !expected.tail_incomplete) expect(warnings).toEqual([]);
  });

  it.each(names)('U5: %s is known by its content', async (name) => {
    const { client, ...expected } = caseOf(name);
    const files = await transcriptsAt(rootsOf(name, { client, ...expected }));
    expect([...new Set(files.map((file) => file.client))]).toEqual([client]);
  });
});
