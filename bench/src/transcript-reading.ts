import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { REPOSITORY_ROOT } from '@perdure/stack/services';
import type { BenchContext } from './context.js';
import { generateTranscript, type GeneratedTruth } from './generated-transcript.js';
import { measuredProcess, type Taken } from './measured-process.js';
import type { Figure, Measurement } from './report.js';
import { median, rounded } from './statistics.js';

const REFERENCE = 'ccusage';
const VERSION = '20.0.24';
const MEGABYTE = 1e6;
const MOST_CPU = 0.75;
const MOST_MEMORY = 0.35;
const MOST_MEMORY_LARGE = 0.12;

interface Contestants {
  readonly ours: Taken[];
  readonly theirs: Taken[];
}

/** The reader against the native ccusage on the same generated transcripts, each in processes of its own, in turn. */
export async function measureTranscriptReading({ plan, size }: BenchContext): Promise<Measurement> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'perdure-bench-transcripts-'));
  try {
    const reference = referenceProgram();
    const figures: Figure[] = [];
    for (const megabytes of [200, 600]) {
      const { taken, truth } = await compareOn(folder, megabytes * size * MEGABYTE, { reference, rounds: plan.rounds });
      figures.push(...figuresOf(`${megabytes} MB`, taken, truth));
    }
    return {
      name: 'transcript-reading',
      title: 'Transcripts',
      method: [
        `A generated Claude Code transcript, read to its report, against ${REFERENCE} ${VERSION} (native) with "claude daily --json --offline"; whole processes, start included, in turn.`,
        'CPU is user and system time, memory the high-water mark of the resident set, both off /proc; medians of the rounds. Both say the tokens that were generated.',
        ...(reference === null ? [`${REFERENCE} could not be installed: no ceiling.`] : []),
      ],
      figures,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Installed when it is first measured, into a cache: nothing of the workspace depends on it. */
function referenceProgram(): string | null {
  const cache = path.join(REPOSITORY_ROOT, 'node_modules', '.cache', `perdure-bench-${REFERENCE}-${VERSION}`);
  const native = `${REFERENCE}-${process.platform}-${process.arch}`;
  const program = path.join(cache, 'node_modules', `@${REFERENCE}`, native, 'bin', REFERENCE);
  try {
    mkdirSync(cache, { recursive: true });
    const install = ['install', '--prefix', cache, '--no-save', '--ignore-scripts', '--no-audit', '--no-fund'];
    if (!existsSync(program)) execFileSync('npm', [...install, `${REFERENCE}@${VERSION}`], { stdio: 'ignore' });
    chmodSync(program, 0o755);
    return program;
  } catch {
    return null;
  }
}

async function compareOn(
  folder: string,
  bytes: number,
  { reference, rounds }: { reference: string | null; rounds: number },
): Promise<{ taken: Contestants; truth: GeneratedTruth }> {
  const transcripts = path.join(folder, 'projects', 'bench');
  mkdirSync(transcripts, { recursive: true });
  const file = path.join(transcripts, '5e551000-0000-4000-a000-000000000001.jsonl');
  const truth = generateTranscript(file, bytes);
  const taken: Contestants = { ours: [], theirs: [] };
  const readers = {
    ours: async () => {
      const one = await measuredProcess(
        process.execPath,
        [path.join(__dirname, 'read-transcript.cjs'), file],
        process.env,
      );
      requireTruth('the reader', tokensOfReport(one.stdout), truth);
      taken.ours.push(one);
    },
    theirs: async () => {
      if (reference === null) return;
      const env = { ...process.env, CLAUDE_CONFIG_DIR: folder };
      const one = await measuredProcess(reference, ['claude', 'daily', '--json', '--offline'], env);
      requireTruth(REFERENCE, tokensOfReference(one.stdout), truth);
      taken.theirs.push(one);
    },
  };
  // The first reading brings the file into the page cache.
  await readers.ours();
  taken.ours.length = 0;
  for (let round = 0; round < rounds; round += 1) {
    for (const who of round % 2 === 0 ? (['ours', 'theirs'] as const) : (['theirs', 'ours'] as const))
      await readers[who]();
  }
  return { taken, truth };
}

function tokensOfReport(text: string): number {
  const { models }: { models: Record<string, number>[] } = JSON.parse(text);
  return models.reduce(
    (sum, model) => sum + Object.entries(model).reduce((all, [key, n]) => (key.endsWith('_tokens') ? all + n : all), 0),
    0,
  );
}

function tokensOfReference(text: string): number {
  const { totals }: { totals: { totalTokens: number } } = JSON.parse(text);
  return totals.totalTokens;
}

function requireTruth(who: string, tokens: number, truth: GeneratedTruth): void {
  if (tokens !== truth.totalTokens) throw new Error(`${who} counts ${tokens} tokens of ${truth.totalTokens}`);
}

function figuresOf(name: string, { ours, theirs }: Contestants, truth: GeneratedTruth): Figure[] {
  const figure = (what: string, unit: string, valueOf: (taken: Taken) => number, most?: number): Figure => {
    const [own, ceiling] = [median(ours.map(valueOf)), theirs.length === 0 ? null : median(theirs.map(valueOf))];
    const ratio = ceiling === null ? null : own / ceiling;
    return {
      name: `${name}, ${what}`,
      unit,
      ours: { value: rounded(own) },
      ceiling: ceiling === null ? null : { value: rounded(ceiling) },
      ratio: ratio === null ? null : rounded(ratio),
      ...(most === undefined || ratio === null ? {} : { target: { text: `≤ ${most}`, met: ratio <= most } }),
    };
  };
  const isLarge = name.startsWith('600');
  return [
    figure('rate', 'MB/s', ({ wallMs }) => truth.bytes / MEGABYTE / (wallMs / 1000)),
    figure('CPU', 'ms', ({ cpuMs }) => cpuMs, isLarge ? undefined : MOST_CPU),
    figure('peak memory', 'MB', ({ peakMb }) => peakMb, isLarge ? MOST_MEMORY_LARGE : MOST_MEMORY),
  ];
}
