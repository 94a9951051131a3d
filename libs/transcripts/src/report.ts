import { createHash } from 'node:crypto';
import type { UsageTranscript } from '@perdure/contracts';
import type { TranscriptClient } from './clients/transcript-client.js';
import { countFault, warningsOf } from './faults.js';
import type { OwnedPart, OwnedResponse } from './owned-responses.js';
import { addUsage, noUsage, type TokenClasses, type Usage } from './token-classes.js';
import { GENERATION } from './transcript-reading.js';

/** What libs/contracts lets a report list; a value from there would load its schemas. */
const RESPONSES_LIMIT = 100_000;
const MODEL_LIMIT = 500;
const UNKNOWN_MODEL = 'unknown';

/** Tokens of one day in UTC by model. A response is of the day of its first line. */
export interface UsageOfDay {
  readonly day: string;
  readonly model: string;
  readonly usage: Usage;
}

/** One transcript as it is reported, and the same tokens by day. */
export interface ReadTranscript {
  readonly report: UsageTranscript;
  readonly days: readonly UsageOfDay[];
}

export interface ReportOptions {
  /** List the responses (U6), so that the server can tell copies in transcripts that were not read together. */
  readonly responses?: boolean;
}

interface Counted {
  readonly model: string;
  readonly at: number | null;
  readonly hash: string;
  readonly usage: Usage;
}

export function reportOf(client: TranscriptClient, part: OwnedPart, options: ReportOptions = {}): ReadTranscript {
  const { transcript } = part;
  const faults = { ...transcript.faults };
  const classes = (owned: OwnedResponse): TokenClasses => client.classesOf(owned.response.figures, faults);
  const counted = part.responses.map((owned) => ({
    ...countedOf(owned, client),
    usage: usageOf(owned, classes(owned)),
  }));
  const wantsList = options.responses === true && client.hasNoResponseList !== true;
  if (wantsList && counted.length > RESPONSES_LIMIT) countFault(faults, 'responses_not_listed', counted.length);
  const listed = wantsList && counted.length <= RESPONSES_LIMIT ? listOf(counted, transcript.firstAt) : null;
  const report: UsageTranscript = {
    transcript_id: transcript.id,
    client: client.name,
    ...(transcript.parentId === null ? {} : { parent_transcript_id: transcript.parentId }),
    version: { generation: GENERATION, complete_bytes: transcript.completeBytes, records: transcript.records },
    ...(transcript.firstAt === null ? {} : { first_at: textOf(transcript.firstAt) }),
    ...(transcript.lastAt === null ? {} : { last_at: textOf(transcript.lastAt) }),
    prompts: part.prompts,
    quality: 'exact',
    replayed_responses: part.replayed,
    warnings: warningsOf(faults),
    ...(listed === null ? {} : { responses: listed }),
    models: [...sumsBy(counted, ({ model }) => model)].map(([model, usage]) => ({ model, ...usage })),
  };
  return { report, days: daysOf(counted, transcript.firstAt) };
}

function countedOf({ identity, response }: OwnedResponse, { name }: TranscriptClient): Omit<Counted, 'usage'> {
  const hash = createHash('sha256').update(`${name}\0${identity}`).digest('hex').slice(0, 32);
  return { model: modelName(response.model), at: response.at, hash };
}

const usageOf = ({ response }: OwnedResponse, classes: TokenClasses): Usage => ({ turns: response.turns, ...classes });

const textOf = (at: number): string => new Date(at).toISOString();

/** A name that a report may carry: one line of at most so many code points. */
function modelName(model: string | null): string {
  const name = (model ?? '')
    .toWellFormed()
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim();
  return /[^\s\p{Cf}]/u.test(name) ? [...name].slice(0, MODEL_LIMIT).join('') : UNKNOWN_MODEL;
}

/** @returns null when a response has no instant and there is none to give it */
function listOf(counted: readonly Counted[], firstAt: number | null): UsageTranscript['responses'] | null {
  if (firstAt === null && counted.some(({ at }) => at === null)) return null;
  return counted.map(({ hash, at, model, usage: { turns: _turns, ...classes } }) => ({
    hash,
    first_at: textOf(at ?? firstAt ?? 0),
    model,
    ...classes,
  }));
}

function sumsBy(counted: readonly Counted[], keyOf: (one: Counted) => string): Map<string, Usage> {
  const sums = new Map<string, Usage>();
  for (const one of counted) {
    const key = keyOf(one);
    const sum = sums.get(key) ?? noUsage();
    addUsage(sum, one.usage);
    sums.set(key, sum);
  }
  return sums;
}

/** A response without an instant is of the day the transcript began; where there is none, of no day. */
function daysOf(counted: readonly Counted[], firstAt: number | null): UsageOfDay[] {
  const dated = counted.filter(({ at }) => (at ?? firstAt) !== null);
  const sums = sumsBy(dated, ({ at, model }) => `${textOf(at ?? firstAt ?? 0).slice(0, 10)} ${model}`);
  return [...sums].map(([key, usage]) => ({ day: key.slice(0, 10), model: key.slice(11), usage }));
}
