// The tests of `npm run conformance`: those of e2e that need the outside programs of conformance/.
const base = require('./jest.config.cjs');

const e2e = base.projects.find(({ displayName }) => displayName === 'e2e');

module.exports = {
  ...base,
  projects: [
    {
      ...e2e,
      displayName: 'conformance',
      testMatch: ['<rootDir>/src/conformance/**/*.spec.ts'],
      testPathIgnorePatterns: ['/node_modules/'],
    },
  ],
  // The suite waits for less than a second in places: nothing else shall run beside it.
  maxWorkers: 1,
};
