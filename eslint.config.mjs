// Lint: the walls between the rooms, and the house rules a machine can check. `npm run check -- lint` runs it.
import { builtinModules } from 'node:module';
// What @nx/devkit re-exports; that package is the plugin's dependency, nx is ours.
import { createProjectGraphAsync } from 'nx/src/devkit-exports.js';
import nx from '@nx/eslint-plugin';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';
import { perdureRules } from './scripts/check/lint-rules.mjs';
import { TEST_GLOBS } from './scripts/check/test-files.mjs';
import { sourceBoundaries, testBoundaries } from './scripts/check/module-boundaries.mjs';

// The Nx rule reads the project graph from a cache file and skips itself, with a mere warning, where there is none.
// So the graph is computed here, by this process (a daemon would outlive it), and lint fails when that fails.
process.env.NX_DAEMON = 'false';
await createProjectGraphAsync();

const SOURCES = ['{libs,apps}/*/src/**/*.{ts,tsx}', '{e2e,bench}/src/**/*.ts'];
/** Programs that a reader copies: they stand outside of every package and import ours as theirs would. */
const EXAMPLES = ['docs/examples/**/*.ts'];
/** Libraries that a browser may import: no Node module, no Node global. */
const BROWSER_SAFE = [
  'libs/contracts/src/**/*.ts',
  'libs/audit-chain/src/**/*.ts',
  'libs/forge-urls/src/**/*.ts',
  'libs/client/src/**/*.ts',
];

const namedExportsOnly = [
  { selector: 'ExportDefaultDeclaration', message: 'Named exports only.' },
  { selector: 'ExportSpecifier[exported.name="default"]', message: 'Named exports only.' },
  { selector: 'ExportAllDeclaration', message: 'Name what is public: no `export *`.' },
];

const size = {
  'max-lines': ['error', { max: 400 }],
  'max-lines-per-function': ['error', { max: 60 }],
  'max-depth': ['error', 3],
};

const plainRules = {
  eqeqeq: 'error',
  'no-var': 'error',
  'prefer-const': 'error',
  'no-console': 'error',
  'no-else-return': 'error',
  'no-restricted-syntax': ['error', ...namedExportsOnly],
};

/** Rules that need types: each is a fault that runs well in a test and fails in production. */
const typedRules = {
  '@typescript-eslint/await-thenable': 'error',
  '@typescript-eslint/no-floating-promises': 'error',
  '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { arguments: false, attributes: false } }],
  '@typescript-eslint/no-unnecessary-type-assertion': 'error',
  '@typescript-eslint/only-throw-error': 'error',
  '@typescript-eslint/return-await': ['error', 'in-try-catch'],
  '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
};

const typescriptRules = {
  '@typescript-eslint/no-explicit-any': 'error',
  '@typescript-eslint/no-non-null-assertion': 'error',
  '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
  '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
};

const nodeModulesBanned = {
  patterns: [
    { group: ['node:*'], message: 'This library runs in browsers.' },
    { group: builtinModules, message: 'This library runs in browsers.' },
  ],
};
const nodeGlobalsBanned = ['Buffer', 'process', 'setImmediate', '__dirname', '__filename', 'require'].map((name) => ({
  name,
  message: 'This library runs in browsers.',
}));

export default defineConfig(
  { ignores: ['**/node_modules/**', '**/dist/**', '.nx/**', '.perdure/**', 'coverage/**'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  { files: ['**/*.{mjs,cjs}'], rules: { ...plainRules, ...size, 'no-console': 'off' } },
  // A tool's own configuration file must export a default.
  { files: ['*.config.{mjs,cjs}', '**/vite.config.*'], rules: { 'no-restricted-syntax': 'off' } },
  {
    files: [...SOURCES, ...EXAMPLES],
    extends: [tseslint.configs.strict],
    languageOptions: { parserOptions: { project: 'tsconfig.check.json', tsconfigRootDir: import.meta.dirname } },
    plugins: { '@nx': nx, perdure: perdureRules },
    rules: {
      ...plainRules,
      ...size,
      ...typedRules,
      ...typescriptRules,
      '@nx/enforce-module-boundaries': ['error', sourceBoundaries],
      'perdure/tenant-transaction-only': 'error',
      'perdure/reasoned-assertion': 'error',
    },
  },
  {
    files: BROWSER_SAFE,
    // `x-node.ts` is the Node side of an entry in the package's `imports`; browsers get its sibling.
    ignores: [...TEST_GLOBS, '**/*-node.ts'],
    rules: {
      'no-restricted-imports': ['error', nodeModulesBanned],
      'no-restricted-globals': ['error', ...nodeGlobalsBanned],
    },
  },
  {
    // What a client tool bundles: of the server, types alone. bundle.spec.ts looks at what comes out.
    files: ['libs/client/src/**/*.ts'],
    ignores: TEST_GLOBS,
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          paths: ['@perdure/contracts', '@perdure/trpc', '@trpc/server'].map((name) => ({
            name,
            allowTypeImports: true,
            message: 'Types only: its code belongs to the server.',
          })),
        },
      ],
    },
  },
  {
    files: ['libs/{store,testkit}/src/**/*.ts', ...TEST_GLOBS, 'e2e/**/*.ts'],
    rules: { 'perdure/tenant-transaction-only': 'off' },
  },
  // A measurement prints its figures; it has no log.
  { files: ['bench/**/*.ts'], rules: { 'no-console': 'off' } },
  {
    files: TEST_GLOBS,
    rules: {
      '@nx/enforce-module-boundaries': ['error', testBoundaries],
      'max-lines': ['error', { max: 500 }],
      'max-lines-per-function': 'off',
    },
  },
);
