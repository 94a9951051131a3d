// One jest run over all packages: a throwaway Postgres and queue are started once (jest.global-setup.cjs) and shared.
const { readdirSync, existsSync } = require('node:fs');
const path = require('node:path');
const { swcOptions } = require('./jest.swc-options.cjs');

const packagesIn = (folder) =>
  readdirSync(path.join(__dirname, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(path.join(__dirname, folder, entry.name, 'package.json')))
    .map((entry) => `${folder}/${entry.name}`);

/**
 * Only for packages that use the test kit: a run over pure libraries needs no servers. (The stack starts servers of its
 * own, but needs the redis-server that this set-up gets installed.) Jest runs the same file once.
 */
const sharedServers = (folder) => {
  const { name, dependencies, devDependencies } = require(path.join(__dirname, folder, 'package.json'));
  const packages = Object.keys({ [name]: true, ...dependencies, ...devDependencies });
  if (!packages.includes('@perdure/testkit') && name !== '@perdure/stack') return {};
  return {
    globalSetup: path.join(__dirname, 'jest.global-setup.cjs'),
    globalTeardown: path.join(__dirname, 'jest.global-teardown.cjs'),
  };
};

/** Packages that come as ES modules only: Node loads them as they are, jest's own module system does not. */
const ES_MODULES = ['age-encryption', '@noble', '@scure'];
const esModulePath = `/node_modules/(?:${ES_MODULES.join('|')})/`;

const project = (folder) => ({
  displayName: path.basename(folder),
  rootDir: path.join(__dirname, folder),
  testEnvironment: 'node',
  testMatch: ['<rootDir>/src/**/*.spec.ts'],
  // Those have a run of their own: jest.conformance.cjs.
  testPathIgnorePatterns: ['/node_modules/', '/e2e/src/conformance/'],
  testEnvironmentOptions: { customExportConditions: ['@perdure/source', 'node', 'require', 'default'] },
  transform: {
    '^.+\\.[cm]?ts$': ['@swc/jest', swcOptions],
    [`${esModulePath}.+\\.js$`]: ['@swc/jest', { ...swcOptions, sourceMaps: false }],
  },
  transformIgnorePatterns: [`/node_modules/(?!(?:${ES_MODULES.join('|')})/)`],
  moduleFileExtensions: ['ts', 'mts', 'cts', 'js', 'cjs', 'json'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  ...sharedServers(folder),
});

module.exports = {
  projects: [...packagesIn('libs'), ...packagesIn('apps'), 'e2e'].map((folder) => project(folder)),
  // Ends a hang, not slowness: two cores that build something else beside the tests make them five times slower.
  testTimeout: 240_000,
  maxWorkers: 2,
};
