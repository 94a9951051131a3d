import { catalogue } from '@perdure/contracts';
import { createDataSource } from '@perdure/store';
import { createTestInstallation, type TestActor, type TestInstallation } from '@perdure/testkit';
import { createOperations, type Operations } from '../dispatcher/create-operations.js';

const { backlog, projects } = catalogue;
const CALLERS = 40;
const ITEMS = 10;
const ROUNDS = 20;
/** Callers who come while others are at work find some items locked and some taken, in an order of their own. */
const ARRIVE_WITHIN_MS = 15;

let installation: TestInstallation;
let actors: TestActor[];

beforeAll(async () => {
  installation = await createTestInstallation();
  const workspace = await installation.workspace();
  actors = await Promise.all(Array.from({ length: CALLERS }, (_, index) => workspace.actor(`worker-${index}`)));
});
afterAll(() => installation.close());

async function projectWithItems(name: string): Promise<string> {
  const [filer] = actors;
  if (filer === undefined) throw new Error('there is no actor');
  const { project } = await installation.call(projects.createProject, filer, { name });
  for (let index = 0; index < ITEMS; index += 1) {
    await installation.call(backlog.fileBacklogItem, filer, {
      title: `Item ${index}`,
      body_markdown: 'x',
      priority: 'normal',
      category: 'bug',
      project: project.id,
    });
  }
  return project.id;
}

async function claimLater(operations: Operations, actor: TestActor, project: string): Promise<string | null> {
  await new Promise((resolve) => setTimeout(resolve, Math.random() * ARRIVE_WITHIN_MS));
  const { output } = await operations.run(backlog.claimBacklogItem, actor.caller, { project }, { requestId: 'test' });
  return backlog.claimBacklogItem.output.parse(output).backlog_item?.id ?? null;
}

/** Through connections of its own: new ones are slower, and that is when callers met in a deadlock, in one round of eight. */
async function round(project: string): Promise<(string | null)[]> {
  const url = installation.database.appUrl;
  const dataSource = await createDataSource({ url, poolSize: CALLERS, applicationName: 'test' });
  const operations = createOperations({ dataSource });
  try {
    return await Promise.all(actors.map((actor) => claimLater(operations, actor, project)));
  } finally {
    await operations.close();
    await dataSource.destroy();
  }
}

it('B4: callers who come one after the other share out what is ready, and nobody is refused', async () => {
  for (let number = 0; number < ROUNDS; number += 1) {
    const claimed = await round(await projectWithItems(`round ${number}`));
    const taken = claimed.filter((id) => id !== null);
    expect([taken.length, new Set(taken).size]).toEqual([ITEMS, ITEMS]);
  }
});
