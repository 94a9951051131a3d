/** sysexits.h EX_CONFIG: a supervisor can tell a wrong configuration from a crash, and stop restarting. */
const EX_CONFIG = 78;

/** One variable that cannot be used. */
export interface ConfigProblem {
  variable: string;
  /** What was found, with secrets masked, ready to print. */
  seen: string;
  expected: string;
  example: string;
}

/** All problems of a configuration at once, one line each. */
export class ConfigError extends Error {
  constructor(readonly problems: readonly ConfigProblem[]) {
    super(problems.map(lineOf).join('\n'));
    this.name = 'ConfigError';
  }
}

/** Prints the problems to standard error and ends the process with code 78. */
export function exitWithConfigError(error: ConfigError): never {
  const count = error.problems.length === 1 ? 'a problem' : `${error.problems.length} problems`;
  process.stderr.write(`The configuration has ${count}:\n${error.message}\n`);
  process.exit(EX_CONFIG);
}

function lineOf({ variable, seen, expected, example }: ConfigProblem): string {
  return `  ${variable}: ${seen}; expected ${expected}, for example ${variable}=${example}`;
}
