// Which files are tests: specs, and the folder `testing` of a package, whose files only its specs import.

/** As globs, for the linter. */
export const TEST_GLOBS = ['**/*.spec.ts', '**/src/testing/**/*.ts'];

/** @param {string} file path with `/` */
export const isSpecFile = (file) => /\.(?:spec|test)\.tsx?$/.test(file);

/** @param {string} file path with `/` */
export const isTestFile = (file) => isSpecFile(file) || file.includes('/src/testing/');
