import { catalogue, type BuildSessionObject, type OperationContract, type PullRequestObject } from '@perdure/contracts';
import type { TestActor } from '@perdure/testkit';
import { mcpDoor, trpcDoor, type Door, type Outcome } from './testing/doors.js';
import { isDue } from './testing/due-issues.js';
import { attackCases, type AttackCase } from './testing/stored-attacks.js';
import { wholeStack, type WholeStack } from './testing/whole-stack.js';

let stack: WholeStack;
let agent: TestActor;
let doors: Door[];
let project: string;

beforeAll(async () => {
  stack = await wholeStack();
  agent = await (await stack.installation.workspace()).actor('agent');
  const client = await stack.connect(await stack.start('mcp-gateway'), agent.token);
  doors = [mcpDoor(() => client), trpcDoor(await stack.start('api'), () => agent.token)];
});

afterAll(() => stack.close());

let projects = 0;

beforeEach(async () => {
  projects += 1;
  const made = await stack.installation.call(catalogue.projects.createProject, agent, { name: `p${projects}` });
  project = made.project.id;
});

/** Accepted, or the test fails with the refusal. */
async function accepted(door: Door, contract: OperationContract, input: object): Promise<Outcome['result'] & object> {
  const { result, error } = await door.call(contract, input);
  if (result === undefined) throw new Error(`refused: ${error?.message}`);
  return result;
}

const DECISION = { rationale_markdown: 'Because.', decided_on: '2026-11-30', changes_public_contract: false };

async function startOn(door: Door, computer: string): Promise<BuildSessionObject> {
  const input = { project, computer, branch: `b-${door.name}` };
  const { build_session } = await accepted(door, catalogue.sessions.startBuildSession, input);
  return build_session as BuildSessionObject; // the contract's output
}

interface ExportedFile {
  readonly path: string;
  readonly content: string;
}

/** The file of an entry of that title. */
async function exported(door: Door, title: string): Promise<ExportedFile | undefined> {
  await accepted(door, catalogue.decisions.appendDecisionLog, { ...DECISION, title, project });
  const { files } = await accepted(door, catalogue.decisions.exportDecisionLog, { project, format: 'madr' });
  return (files as ExportedFile[]).at(-1); // the contract's output; the newest entry comes last
}

async function recordPr(door: Door, url: string): Promise<Outcome> {
  const { id } = await startOn(door, 'desk');
  return door.call(catalogue.sessions.recordBuildSessionPrs, { build_session_id: id, prs: [{ url }] });
}

/** What must hold, by the words of the cases; each is checked through each door. */
const INVARIANTS: Readonly<Record<string, (door: Door, attack: AttackCase) => Promise<void>>> = {
  shown_as_is: async (door, { value }) => {
    const [alike, plain] = [await startOn(door, value), await startOn(door, value.replace('а', 'a'))];
    expect(alike.computer).toBe(value);
    expect(alike.id).not.toBe(plain.id);
    expect((await startOn(door, value)).id).toBe(alike.id);
    const { items } = await accepted(door, catalogue.sessions.listBuildSessions, {
      project,
      computer: value,
      branch: alike.branch,
    });
    expect((items as BuildSessionObject[]).map(({ id }) => id)).toEqual([alike.id]); // the contract's output
  },

  file_shape: async (door, { value }) => {
    const [attacked, plain] = [await exported(door, value), await exported(door, 'plain')];
    expect(attacked?.path).toMatch(/^decisions\/\d{4}-[a-z0-9-]+\.md$/);
    // The same frontmatter, key for key, and then one heading of the first level.
    expect(keysOfFrontmatter(attacked)).toEqual(keysOfFrontmatter(plain));
    expect(attacked?.content.match(/^---$/gm)).toHaveLength(2);
    expect(attacked?.content.match(/^# /gm)).toHaveLength(1);
  },

  'host_is:beacon.invalid_or_refused': async (door, { value }) => {
    const { result, error } = await recordPr(door, value);
    if (error !== undefined) return expect(error.code).toBe('pr_url_unrecognised');
    expect((result?.['prs'] as PullRequestObject[])[0]?.host).toBe('beacon.invalid'); // the contract's output
  },

  'refused:pr_url_unrecognised': async (door, { value }) => {
    expect((await recordPr(door, value)).error).toMatchObject({ code: 'pr_url_unrecognised', kind: 'unprocessable' });
  },
};

const keysOfFrontmatter = (file: ExportedFile | undefined): string[] => {
  const [, frontmatter = ''] = file?.content.split(/^---$/m) ?? [];
  return [...frontmatter.matchAll(/^([\w-]+):/gm)].map(([, key = '']) => key);
};

/** Surfaces that exist: what is shown on a page, a terminal or to an agent comes with those issues. */
const SURFACES = ['api', 'export'];
const due = attackCases().filter(
  ({ issue, surfaces }) => isDue(issue) && surfaces.some((one) => SURFACES.includes(one)),
);

test.each(due.map((one): [string, AttackCase] => [one.id, one]))('%s', async (_id, attack) => {
  for (const invariant of attack.invariants) {
    const holds = INVARIANTS[invariant];
    if (holds === undefined) throw new Error(`there is no check of ${invariant}`);
    for (const door of doors) await holds(door, attack);
  }
});

const ids = new Set(due.map(({ id }) => id));

test('no case that is due waits for a surface that nobody checks', () => {
  expect(attackCases().filter((one) => isDue(one.issue) && !ids.has(one.id))).toEqual([]);
});
