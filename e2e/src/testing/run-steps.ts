import { createHash } from 'node:crypto';
import type { ErrorBody } from '@perdure/contracts';
import { numbered, type CallStep, type RepeatStep, type Step } from './field-cases.js';

export interface Answer {
  readonly op: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Absent when it was refused. */
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: ErrorBody;
  readonly replayed: boolean;
}

/** Where the steps run. */
export interface Stage {
  /** `$P` and the like. */
  readonly names: Readonly<Record<string, string>>;
  readonly saved: Map<string, Answer>;
  /** How many gateway processes the calls of concurrent copies may go to. */
  readonly gatewayCount: () => number;
  readonly call: (credential: string, gateway: number, op: string, args: Record<string, unknown>) => Promise<Answer>;
  /** The same past the gateways, for rows in bulk. */
  readonly callInProcess: (credential: string, op: string, args: Record<string, unknown>) => Promise<Answer>;
  /** @throws when the words are not known */
  readonly perform: (words: string) => Promise<void>;
}

/** Which copy and which round a step belongs to. */
interface Place {
  /** `$i`: of the innermost `concurrently` or `repeat`. */
  readonly number: number;
  /** `[i]`: of the innermost `concurrently`, else of the `repeat`. */
  readonly copy: number | null;
  readonly gateway: number;
  /** One of very many rounds, of which most go past the gateways. */
  readonly inBulk: boolean;
}

const START: Place = { number: 0, copy: null, gateway: 0, inBulk: false };

/** From so many rounds on they run side by side, and one of twenty goes through a gateway: what matters is the rows. */
const BULK_ROUNDS = 1_000;
const BULK_LANES = 8;
const THROUGH_GATEWAY = 20;

/** Runs the steps in order. A refusal that is not kept under a name fails the case: nothing could look at it. */
export async function runSteps(stage: Stage, steps: readonly Step[], place: Place = START): Promise<void> {
  for (const step of steps) await runStep(stage, step, place);
}

async function runStep(stage: Stage, step: Step, place: Place): Promise<void> {
  if ('do' in step) return stage.perform(step.do);
  if ('op' in step) return runCall(stage, step, place);
  if ('repeat' in step) return runRounds(stage, step, place);
  if (step.note !== undefined) await stage.perform(step.note);
  const gateways = step.across === 'one gateway process' ? 1 : stage.gatewayCount();
  if (step.across === 'two gateway processes' && gateways < 2) throw new Error('there is one gateway process');
  const copies = Array.from({ length: step.concurrently }, (_, copy) =>
    runSteps(stage, step.steps, { number: copy, copy, gateway: copy % gateways, inBulk: false }),
  );
  await Promise.all(copies);
}

async function runRounds(stage: Stage, { repeat, steps }: RepeatStep, place: Place): Promise<void> {
  const inBulk = repeat >= BULK_ROUNDS;
  const lanes = inBulk ? BULK_LANES : 1;
  const runLane = async (lane: number) => {
    for (let number = lane; number < repeat; number += lanes)
      await runSteps(stage, steps, { ...place, number, inBulk });
  };
  await Promise.all(Array.from({ length: lanes }, (_, lane) => runLane(lane)));
}

async function runCall(stage: Stage, step: CallStep, place: Place): Promise<void> {
  const copy = place.copy ?? place.number;
  const args = resolve(stage, step.args, place.number) as Record<string, unknown>; // args are an object in the file
  const credential = numbered(step.as, copy);
  const answer =
    place.inBulk && place.number % THROUGH_GATEWAY !== 0
      ? await stage.callInProcess(credential, step.op, args)
      : await stage.call(credential, place.gateway, step.op, args);
  if (step.save !== undefined) stage.saved.set(numbered(step.save, copy), answer);
  else if (answer.error !== undefined) throw new Error(`${step.op} was refused: ${answer.error.message}`);
}

function resolve(stage: Stage, value: unknown, number: number): unknown {
  if (typeof value === 'string') return resolveText(stage, value, number);
  if (Array.isArray(value)) return value.map((item) => resolve(stage, item, number));
  if (typeof value !== 'object' || value === null) return value;
  if ('repeat' in value) {
    const [text, times] = value.repeat as [string, number]; // README of the cases
    return text.repeat(times);
  }
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, resolve(stage, item, number)]));
}

function resolveText(stage: Stage, text: string, number: number): unknown {
  const id = /^\$id\((.+)\)$/.exec(text)?.[1];
  if (id !== undefined) return savedAt(stage, `${id}.id`);
  const hashed = /^\$sha\((.+)\)$/.exec(text)?.[1];
  if (hashed !== undefined) return createHash('sha256').update(hashed).digest('hex');
  const saved = /^\$(\w+(?:\.\w+)+)$/.exec(text)?.[1];
  if (saved !== undefined) return savedAt(stage, saved);
  const name = stage.names[text];
  if (name !== undefined) return name;
  const numberedText = text.replaceAll('$i', String(number));
  if (/\$[\w(]/.test(numberedText)) throw new Error(`what ${text} stands for is not known`);
  return numberedText;
}

/** `s.build_session.id`: that key of the answer kept as s. */
function savedAt(stage: Stage, dotted: string): unknown {
  const [name = '', ...keys] = dotted.split('.');
  let value: unknown = stage.saved.get(name)?.result;
  for (const key of keys) {
    if (typeof value !== 'object' || value === null) throw new Error(`there is no ${dotted}`);
    value = Object.entries(value).find(([candidate]) => candidate === key)?.[1];
  }
  return value;
}
