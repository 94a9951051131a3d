// One jest run over all packages: a throwaway Postgres and queue are started once (jest.global-setup.cjs) and shared.
const { readdirSync, existsSync } = require('node:fs');
const path = require('node:path');

const packagesIn = (folder) =>
  readdirSync(path.join(__dirname, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(path.join(__dirname, folder, entry.name, 'package.json')))
    .map((entry) => `${folder}/${entry.name}`);

const project = (folder) => ({
  displayName: path.basename(folder),
  rootDir: path.join(__dirname, folder),
  testEnvironment: 'node',
  testMatch: ['<rootDir>/src/**/*.spec.ts'],
  testEnvironmentOptions: { customExportConditions: ['@perdure/source', 'node', 'require', 'default'] },
  transform: {
    '^.+\\.[cm]?ts$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2023',
          keepClassNames: true,
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true },
        },
        module: { type: 'commonjs' },
        sourceMaps: 'inline',
      },
    ],
  },
  moduleFileExtensions: ['ts', 'mts', 'cts', 'js', 'cjs', 'json'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
});

module.exports = {
  projects: [...packagesIn('libs'), ...packagesIn('apps'), 'e2e'].map((folder) => project(folder)),
  testTimeout: 60_000,
  maxWorkers: 2,
};
