import { execFile } from 'node:child_process';
import type { Workplace } from '@perdure/workplace';

/** What may have moved on since the last session (C2), one line each. */
export async function driftSignals({ root, branch }: Workplace, deadlineMs: number): Promise<string[]> {
  const run = (program: string, ...argv: string[]) => outputOf(program, argv, root, deadlineMs);
  const [commit, worktrees, pulls] = await Promise.all([
    lastCommit(run),
    run('git', 'worktree', 'list', '--porcelain'),
    run('gh', 'pr', 'list', '--limit', '10', '--json', 'number,title,headRefName,mergeStateStatus,statusCheckRollup'),
  ]);
  return [...(commit === null ? [] : [commit]), ...otherWorktrees(worktrees ?? '', branch), ...pullRequests(pulls)];
}

type Run = (program: string, ...argv: string[]) => Promise<string | null>;

async function lastCommit(run: Run): Promise<string | null> {
  for (const ref of ['origin/HEAD', 'origin/main', 'origin/master']) {
    const said = await run('git', 'log', '-1', '--format=%ct', ref);
    if (said !== null)
      return `${ref === 'origin/HEAD' ? 'the default branch of origin' : ref}, as last fetched: last commit ${ageOf(Number(said))} ago`;
  }
  return null;
}

/** In whole hours or days: the same after a compaction as before it. */
function ageOf(seconds: number): string {
  const hours = Math.max(0, Math.floor((Date.now() / 1000 - seconds) / 3600));
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} days`;
}

function otherWorktrees(listed: string, branch: string): string[] {
  const branches = [...listed.matchAll(/^branch refs\/heads\/(.+)$/gm)].flatMap(([, name = '']) => name);
  const others = branches.filter((name) => name !== branch);
  return others.length === 0 ? [] : [`other worktrees are on ${others.slice(0, 10).join(', ')}`];
}

interface PullRequest {
  readonly number: number;
  readonly title: string;
  readonly headRefName: string;
  readonly mergeStateStatus: string;
  readonly statusCheckRollup: readonly { readonly conclusion?: string; readonly state?: string }[];
}

/** As `gh` prints them; without it, without a login or in time there are none to tell. */
function pullRequests(printed: string | null): string[] {
  if (printed === null) return [];
  try {
    const pulls = JSON.parse(printed) as PullRequest[]; // the fields that were asked for
    return pulls.map(
      ({ number, title, headRefName, mergeStateStatus, statusCheckRollup }) =>
        `open pull request #${number} "${title}" from ${headRefName}: CI ${rollupOf(statusCheckRollup)}, merge state ${mergeStateStatus.toLowerCase()}`,
    );
  } catch {
    return [];
  }
}

function rollupOf(checks: PullRequest['statusCheckRollup']): string {
  const results = checks.map(({ conclusion, state }) => (conclusion || state || '').toUpperCase());
  if (results.length === 0) return 'none';
  if (results.some((result) => ['FAILURE', 'ERROR', 'TIMED_OUT', 'CANCELLED'].includes(result))) return 'failing';
  return results.every((result) => ['SUCCESS', 'NEUTRAL', 'SKIPPED'].includes(result)) ? 'passing' : 'pending';
}

function outputOf(program: string, argv: readonly string[], cwd: string, timeout: number): Promise<string | null> {
  const env = { ...process.env, GIT_OPTIONAL_LOCKS: '0', GH_PROMPT_DISABLED: '1', NO_COLOR: '1' };
  return new Promise((resolve) => {
    const child = execFile(program, argv, { cwd, env, timeout, killSignal: 'SIGKILL' }, (error, stdout) =>
      resolve(error ? null : stdout.trim()),
    );
    child.stdin?.end();
  });
}
