import { readFileSync } from 'node:fs';

export type Environment = Readonly<Record<string, string | undefined>>;

/** sysexits.h EX_CONFIG, as the applications use it: a supervisor can tell a wrong configuration from a fault. */
const EX_CONFIG = 78;

/** Variables that cannot be used; the message has one line for each and no secret in it. */
export class EnvironmentError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(problems.map((problem) => `  ${problem}`).join('\n'));
    this.name = 'EnvironmentError';
  }
}

/**
 * Reads variables that must be set, each directly or through `NAME_FILE`, the path of a file that holds the value.
 *
 * @param wanted what each variable is, for the message when it is missing
 * @throws EnvironmentError naming everything that is missing, not the first
 */
export function requireVariables<Name extends string>(
  env: Environment,
  wanted: Readonly<Record<Name, string>>,
): Record<Name, string> {
  const problems: string[] = [];
  const values: Record<string, string> = {};
  for (const [name, what] of Object.entries<string>(wanted)) {
    const value = valueOf(env, name);
    if (value === '') problems.push(`${name} (or ${name}_FILE) is not set; expected ${what}`);
    else values[name] = value;
  }
  if (problems.length > 0) throw new EnvironmentError(problems);
  return values; // every name of `wanted` has a value, else we would have thrown
}

function valueOf(env: Environment, name: string): string {
  const file = env[`${name}_FILE`];
  if (file === undefined || file === '') return env[name] ?? '';
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    throw new EnvironmentError([`${name}_FILE names ${file}, which cannot be read`]);
  }
}

/**
 * The password of a Postgres url, decoded; empty when there is none (a certificate or a trusted socket instead).
 *
 * @throws EnvironmentError when it is no Postgres url
 */
export function passwordOf(name: string, url: string): string {
  if (URL.canParse(url) && /^postgres(?:ql)?:$/.test(new URL(url).protocol)) {
    return decodeURIComponent(new URL(url).password);
  }
  throw new EnvironmentError([
    `${name} is no Postgres url; expected postgres://role:password@host:5432/database, the password percent-encoded`,
  ]);
}

/** Runs a command to its end: what it says goes to stdout; exit code 0, 78 for a wrong environment, 1 for a failure. */
export async function runCommand(name: string, work: (env: Environment) => Promise<string>): Promise<void> {
  try {
    process.stdout.write(`${await work(process.env)}\n`);
  } catch (error) {
    const wrongEnvironment = error instanceof EnvironmentError;
    process.stderr.write(
      wrongEnvironment
        ? `${name}: the environment is wrong\n${error.message}\n`
        : `${name} failed: ${reasonOf(error)}\n`,
    );
    process.exitCode = wrongEnvironment ? EX_CONFIG : 1;
  }
}

/** A refused connection arrives as an AggregateError without a message, with its code. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? String(error.code) : error.name;
  return error.message === '' ? code : error.message;
}
