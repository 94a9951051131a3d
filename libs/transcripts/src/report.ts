import { createHash } from 'node:crypto';
import type { UsageResponse, UsageTranscript } from '@perdure/contracts';
import type { TranscriptClient } from './clients/transcript-client.js';
import { countFault, warningsOf, type Faults } from './faults.js';
import type { OwnedPart } from './owned-responses.js';
import type { CountedResponse } from './response-table.js';
import { addUsage, noUsage, type Usage } from './token-classes.js';
import { GENERATION } from './transcript-reading.js';
import type { TranscriptState } from './transcript-state.js';

/** What libs/contracts lets a report list; a value from there would load its schemas. */
const RESPONSES_LIMIT = 100_000;
const MODEL_LIMIT = 500;
const UNKNOWN_MODEL = 'unknown';
const DAY_MS = 86_400_000;

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

export function reportOf(client: TranscriptClient, part: OwnedPart, options: ReportOptions = {}): ReadTranscript {
  const { transcript } = part;
  const sums = new UsageSums(client, transcript, options.responses === true && client.hasNoResponseList !== true);
  part.eachResponse((response, identity) => sums.add(response, identity));
  const { responses, models, days, faults } = sums.end();
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
    ...(responses === null ? {} : { responses }),
    models,
  };
  return { report, days };
}

/** Adds up the responses of one transcript. */
class UsageSums {
  readonly #byModel = new Map<string, Usage>();
  readonly #byDay = new Map<number, Map<string, Usage>>();
  readonly #faults: Faults;
  readonly #names = new Map<string | null, string>();
  #responses: UsageResponse[] | null;
  #count = 0;

  constructor(
    private readonly client: TranscriptClient,
    private readonly transcript: TranscriptState,
    isListed: boolean,
  ) {
    this.#faults = { ...transcript.faults };
    this.#responses = isListed ? [] : null;
  }

  add(response: CountedResponse, identity: string): void {
    const model = this.#nameOf(response.model);
    const classes = this.client.classesOf(response.figures, this.#faults);
    const usage = { turns: response.turns, ...classes };
    addTo(this.#byModel, model, usage);
    this.#count += 1;
    // Without an instant it is of the day the transcript began.
    const at = response.at ?? this.transcript.firstAt;
    if (at === null) this.#responses = null;
    if (at === null) return;
    const day = Math.floor(at / DAY_MS);
    const ofDay = this.#byDay.get(day) ?? new Map<string, Usage>();
    this.#byDay.set(day, ofDay);
    addTo(ofDay, model, usage);
    if (this.#count > RESPONSES_LIMIT) this.#responses = null;
    this.#responses?.push({ hash: hashOf(this.client.name, identity), first_at: textOf(at), model, ...classes });
  }

  #nameOf(model: string | null): string {
    const known = this.#names.get(model) ?? modelName(model);
    this.#names.set(model, known);
    return known;
  }

  end(): Pick<ReadTranscript, 'days'> & { models: UsageOfModel[]; responses: UsageResponse[] | null; faults: Faults } {
    if (this.#count > RESPONSES_LIMIT) countFault(this.#faults, 'responses_not_listed', this.#count);
    const days = [...this.#byDay].toSorted(([a], [b]) => a - b);
    return {
      models: [...this.#byModel].map(([model, usage]) => ({ model, ...usage })),
      days: days.flatMap(([day, models]) =>
        [...models].map(([model, usage]) => ({ day: textOf(day * DAY_MS).slice(0, 10), model, usage })),
      ),
      responses: this.#responses,
      faults: this.#faults,
    };
  }
}

type UsageOfModel = UsageTranscript['models'][number];

function addTo(sums: Map<string, Usage>, model: string, usage: Usage): void {
  const sum = sums.get(model) ?? noUsage();
  sums.set(model, sum);
  addUsage(sum, usage);
}

/** Half of a SHA-256: copies of a response have one, and nobody reads the id off it. */
const hashOf = (client: string, identity: string): string =>
  createHash('sha256').update(`${client}\0${identity}`).digest('hex').slice(0, 32);

const textOf = (at: number): string => new Date(at).toISOString();

/** A name that a report may carry: one line of at most so many code points. */
function modelName(model: string | null): string {
  if (model !== null && PLAIN_NAME.test(model)) return model;
  const name = (model ?? '')
    .toWellFormed()
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim();
  return /[^\s\p{Cf}]/u.test(name) ? [...name].slice(0, MODEL_LIMIT).join('') : UNKNOWN_MODEL;
}

const PLAIN_NAME = /^[\w.:/@-]{1,200}$/;
