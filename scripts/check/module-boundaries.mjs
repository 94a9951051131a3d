// Who may import whom. The tags stand in each package.json under `nx.tags`; the Nx rule reads them from its project graph.

/** Room → the rooms it may import. A room that is missing here may import nothing at all. */
const ROOMS = {
  contracts: [],
  pure: ['contracts', 'pure'],
  store: ['contracts', 'pure'],
  queues: ['contracts'],
  service: ['contracts', 'pure'],
  operations: ['contracts', 'pure', 'store'],
  transport: ['contracts', 'pure'],
  // Of transport the type of the router alone: eslint.config.mjs forbids the client to import a value from there.
  client: ['contracts', 'pure', 'transport'],
  authorization: ['contracts', 'store', 'service', 'operations'],
  runtime: ['contracts', 'store', 'queues', 'service', 'operations', 'authorization'],
  stack: ['contracts', 'store', 'queues', 'operations'],
  cli: ['contracts', 'pure', 'client'],
  app: ['contracts', 'pure', 'store', 'queues', 'service', 'operations', 'runtime', 'transport', 'client'],
};

/** Rooms that exist for tests: they may import anything but an app. */
const TEST_ROOMS = ['testkit', 'e2e'];

const DATABASE = ['typeorm', 'pg', 'pg-*'];
const QUEUES = ['bullmq', 'ioredis'];
const WIRE = ['express', '@trpc/*', '@modelcontextprotocol/*'];

/** npm packages a room must not know: one handler serves a browser, an agent and a test only while it cannot see who asks. */
const BANNED_PACKAGES = {
  pure: [...DATABASE, ...QUEUES, ...WIRE],
  operations: [...QUEUES, ...WIRE],
  transport: [...DATABASE, ...QUEUES],
  authorization: [...QUEUES],
  service: [...DATABASE, ...QUEUES],
  client: [...DATABASE, ...QUEUES, 'express', '@modelcontextprotocol/*', 'zod'],
  cli: [...DATABASE, ...QUEUES, ...WIRE],
};

/** A browser imports contracts, so zod is all it may bring along. */
const ONLY_PACKAGES = { contracts: ['zod', 'zod/*'] };

const tag = (room) => `type:${room}`;

const constraintOf = (room, rooms) => ({
  sourceTag: tag(room),
  onlyDependOnLibsWithTags: rooms.map(tag),
  ...(BANNED_PACKAGES[room] ? { bannedExternalImports: BANNED_PACKAGES[room] } : {}),
  ...(ONLY_PACKAGES[room] ? { allowedExternalImports: ONLY_PACKAGES[room] } : {}),
});

const testRoomConstraints = TEST_ROOMS.map((room) => ({
  sourceTag: tag(room),
  onlyDependOnLibsWithTags: [
    ...Object.keys(ROOMS).filter((other) => other !== 'app' && other !== 'cli'),
    ...TEST_ROOMS,
  ].map(tag),
}));

const optionsFor = (depConstraints) => ({
  depConstraints,
  // `#name` is an entry of the package's own `imports`: one file for Node, another for browsers.
  allow: ['^#'],
  // Spec files of a library import the test kit, which itself starts that library. The cycle is between a test and a
  // library, never between two libraries: every other way round is closed by the constraints above.
  ignoredCircularDependencies: [['@perdure/testkit', '*']],
});

/** Options of `@nx/enforce-module-boundaries` for sources. */
export const sourceBoundaries = optionsFor([
  ...Object.entries(ROOMS).map(([room, rooms]) => constraintOf(room, rooms)),
  ...testRoomConstraints,
]);

/** The same for tests, which may import the test kit besides, and any package as a client of what they test. */
export const testBoundaries = optionsFor([
  ...Object.entries(ROOMS).map(([room, rooms]) => ({
    sourceTag: tag(room),
    onlyDependOnLibsWithTags: [...rooms, 'testkit'].map(tag),
  })),
  ...testRoomConstraints,
]);
