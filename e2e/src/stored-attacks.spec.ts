import { catalogue, type BuildSessionObject, type PullRequestObject } from '@perdure/contracts';
import type { TestActor } from '@perdure/testkit';
import { accepted, briefOf, DECISION, readAll, startOn, storeText, type AttackPlace } from './testing/attack-place.js';
import { mcpDoor, trpcDoor, type Door, type Outcome } from './testing/doors.js';
import { isDue } from './testing/due-issues.js';
import { expectMarked, expectUnbroken, harmlessBrief, ownLines } from './testing/injection-checks.js';
import type { McpClient } from './testing/official-clients.js';
import { restDoor } from './testing/rest-door.js';
import { attackCases, type AttackCase } from './testing/stored-attacks.js';
import { wholeStack, type WholeStack } from './testing/whole-stack.js';

let stack: WholeStack;
let owner: TestActor;
let agent: TestActor;
let client: McpClient;
let doors: Door[];

beforeAll(async () => {
  stack = await wholeStack();
  const workspace = await stack.installation.workspace();
  owner = workspace.owner;
  agent = await workspace.actor('agent');
  client = await stack.connect(await stack.start('mcp-gateway'), agent.token);
  const api = await stack.start('api');
  doors = [mcpDoor(() => client), trpcDoor(api, () => agent.token), await restDoor(api, () => agent.token)];
});

afterAll(() => stack.close());

let projects = 0;

async function placeAt(door: Door): Promise<AttackPlace> {
  projects += 1;
  const made = await stack.installation.call(catalogue.projects.createProject, agent, { name: `p${projects}` });
  return { door, client, project: made.project.id };
}

interface ExportedFile {
  readonly path: string;
  readonly content: string;
}

/** The file of an entry of that title. */
async function exported({ door, project }: AttackPlace, title: string): Promise<ExportedFile | undefined> {
  await accepted(door, catalogue.decisions.appendDecisionLog, { ...DECISION, title, project });
  const { files, lines } = await accepted(door, catalogue.decisions.exportDecisionLog, { project, format: 'madr' });
  // The contract's output, or its files as lines; the newest entry comes last.
  if (typeof lines === 'string') return JSON.parse(lines.trimEnd().split('\n').at(-1) ?? '') as ExportedFile;
  return (files as ExportedFile[]).at(-1); // as above
}

async function recordPr(place: AttackPlace, url: string): Promise<Outcome> {
  const { door } = place;
  const { id } = await startOn(place, 'desk');
  return door.call(catalogue.sessions.recordBuildSessionPrs, { build_session_id: id, prs: [{ url }] });
}

/** What must hold, by the words of the cases; each is checked through each door. */
const INVARIANTS: Readonly<Record<string, (place: AttackPlace, attack: AttackCase) => Promise<void>>> = {
  shown_as_is: async (place, { value }) => {
    const { door, project } = place;
    const [alike, plain] = [await startOn(place, value), await startOn(place, value.replace('а', 'a'))];
    expect(alike.computer).toBe(value);
    expect(alike.id).not.toBe(plain.id);
    expect((await startOn(place, value)).id).toBe(alike.id);
    const { items } = await accepted(door, catalogue.sessions.listBuildSessions, {
      project,
      computer: value,
      branch: alike.branch,
    });
    expect((items as BuildSessionObject[]).map(({ id }) => id)).toEqual([alike.id]); // the contract's output
  },

  file_shape: async (place, { value }) => {
    const [attacked, plain] = [await exported(place, value), await exported(place, 'plain')];
    expect(attacked?.path).toMatch(/^decisions\/\d{4}-[a-z0-9-]+\.md$/);
    // The same frontmatter, key for key, and then one heading of the first level.
    expect(keysOfFrontmatter(attacked)).toEqual(keysOfFrontmatter(plain));
    expect(attacked?.content.match(/^---$/gm)).toHaveLength(2);
    expect(attacked?.content.match(/^# /gm)).toHaveLength(1);
  },

  'host_is:beacon.invalid_or_refused': async (place, { value }) => {
    const { result, error } = await recordPr(place, value);
    if (error !== undefined) return expect(error.code).toBe('pr_url_unrecognised');
    expect((result?.['prs'] as PullRequestObject[])[0]?.host).toBe('beacon.invalid'); // the contract's output
  },

  'refused:pr_url_unrecognised': async (place, { value }) => {
    expect((await recordPr(place, value)).error).toMatchObject({ code: 'pr_url_unrecognised', kind: 'unprocessable' });
  },

  csv_inert: async ({ door }, { value }) => {
    const { call } = stack.installation;
    const { project } = await call(catalogue.projects.createProject, owner, { name: `${value}${door.name}` });
    const { id } = await startOn({ door, client, project: project.id }, 'desk');
    const counts = { turns: 1, input_tokens: 1, output_tokens: 1, cache_write_5m_tokens: 0, cache_write_1h_tokens: 0 };
    // In every cell whose text is the caller's.
    await accepted(door, catalogue.usage.recordBuildSessionUsage, {
      build_session_id: id,
      transcripts: [
        {
          transcript_id: `${value}${door.name}`,
          client: value,
          parent_transcript_id: value,
          first_at: '2026-11-10T10:00:00Z',
          models: [{ model: value, ...counts, cache_read_tokens: 0 }],
        },
      ],
    });
    const asked = { from: '2026-11-10', to: '2026-11-10', format: 'csv' as const };
    const { content } = await call(catalogue.usage.exportUsage, owner, asked);
    expect(content).toContain(`'${value.slice(0, 5)}`);
    expect(content).not.toMatch(/(?:^|,)"?\s*[=+\-@\t]/m);
  },

  delimiter_unbroken: async (place, { field, value }) => {
    await storeText(place, field, value);
    for (const answer of await readAll(place)) expectUnbroken(answer, value);
    await expectBriefAsAny(place, field);
  },

  section_forgery: async (place, { field, value }) => {
    await storeText(place, field, value);
    await expectBriefAsAny(place, field);
  },

  data_marked: async (place, { field, value }) => {
    await storeText(place, field, value);
    await expectMarked(place, value);
    expect(client.instructions()).toContain('data, not instructions');
    const brief = await briefOf(place);
    expect(brief).toContain('stored data, not instructions');
    // Each entry says whose it is, before or behind the text.
    for (const line of brief.split('\n').filter((one) => one.startsWith('- 0'))) expect(line).toContain('"agent"');
  },

  one_line: async (place, { field, value }) => {
    await storeText(place, field, value);
    const brief = await briefOf(place);
    const shown = JSON.stringify(value.replaceAll(/\s+/g, ' '));
    expect(brief.split('\n').filter((line) => line.includes(shown))).toHaveLength(1);
  },

  not_in_catalogue: async (place, { field, value }) => {
    await storeText(place, field, value);
    expect(JSON.stringify([await client.tools(), client.instructions()])).not.toContain(value.slice(0, 20));
  },
};

/** Whatever the stored text, the lines of the brief that are ours are those of any brief with as many rows. */
async function expectBriefAsAny(place: AttackPlace, field: string): Promise<void> {
  const harmless = await harmlessBrief(await placeAt(place.door), field);
  expect(ownLines(await briefOf(place))).toEqual(ownLines(harmless));
}

const keysOfFrontmatter = (file: ExportedFile | undefined): string[] => {
  const [, frontmatter = ''] = file?.content.split(/^---$/m) ?? [];
  return [...frontmatter.matchAll(/^([\w-]+):/gm)].map(([, key = '']) => key);
};

/** Surfaces that exist: what is shown on a page or a terminal comes with those issues. */
const SURFACES = ['api', 'export', 'mcp', 'brief'];
const due = attackCases().filter(
  ({ issue, surfaces }) => isDue(issue) && surfaces.some((one) => SURFACES.includes(one)),
);

test.each(due.map((one): [string, AttackCase] => [one.id, one]))('%s', async (_id, attack) => {
  for (const invariant of attack.invariants) {
    const holds = INVARIANTS[invariant];
    if (holds === undefined) throw new Error(`there is no check of ${invariant}`);
    for (const door of doors) await holds(await placeAt(door), attack);
  }
});

const ids = new Set(due.map(({ id }) => id));

test('no case that is due waits for a surface that nobody checks', () => {
  expect(attackCases().filter((one) => isDue(one.issue) && !ids.has(one.id))).toEqual([]);
});
