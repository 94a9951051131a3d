import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { outsideTools, runTool, type Ended, type RunningTool } from './outside-tools.js';

export interface Check {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
}

export interface SuiteRun extends Ended {
  /** The checks of each scenario that ran, by its name. */
  readonly checks: ReadonlyMap<string, readonly Check[]>;
}

/** A run of the suite that may still need somebody, as the one that waits for a person's approval does. */
export interface StartedSuite extends Pick<RunningTool, 'printed'> {
  readonly ended: Promise<SuiteRun>;
}

/** What a revision of the protocol demands of a server, as the suite froze it at that revision's release. */
export function requiredScenarios(revision: string): readonly string[] {
  const text = readFileSync(path.join(outsideTools().suite, 'requirements', `${revision}.yaml`), 'utf8');
  const [, section = ''] = /^server:\n((?:  - .+\n)+)/m.exec(text) ?? [];
  return [...section.matchAll(/^  - (\S+)$/gm)].map(([, name = '']) => name);
}

/** Starts the suite, which writes down the checks of each scenario in a folder of its own. */
export function startSuite(args: readonly string[]): StartedSuite {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'perdure-suite-'));
  const program = path.join(outsideTools().suite, 'dist', 'index.js');
  const { printed, ended } = runTool(program, [...args, '--output-dir', folder]);
  const read = async (): Promise<SuiteRun> => {
    try {
      return { ...(await ended), checks: readChecks(folder) };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };
  return { printed, ended: read() };
}

/** Folders are named `<kind of run>-<scenario>-<time>`. */
function readChecks(folder: string): Map<string, readonly Check[]> {
  const entries = readdirSync(folder).map((name): [string, readonly Check[]] => {
    const [, scenario = name] = /^(?:server|authorization-server)-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/.exec(name) ?? [];
    const file = path.join(folder, name, 'checks.json');
    // Written by the suite in this form.
    return [scenario, existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Check[]) : []];
  });
  return new Map(entries);
}
