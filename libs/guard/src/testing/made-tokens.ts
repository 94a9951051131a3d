import { base62Checksum } from '../secrets/checksums.js';
import { CHARACTER_CLASSES } from '../secrets/characters.js';
import type { TokenFormat } from '../secrets/token-format.js';

const ALL = Array.from({ length: 95 }, (_unused, index) => String.fromCharCode(index + 32));
/** How many characters more than the least an open or wide repetition gets. */
const SURPLUS = 24;

/** Numbers below `limit`, the same for the same seed (Steele and Vigna 2021: mulberry32). */
export type Dice = (limit: number) => number;

export function diceOf(seed: number): Dice {
  let state = seed;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}

/** A random text of a token format, checksum included. Made when a test runs: no file of the repository holds one. */
export function makeToken(format: TokenFormat, prefix: string, dice: Dice): string {
  for (let attempt = 0; attempt < 2_000; attempt += 1) {
    const head = format.before ? pick(format.before.min, charactersOf(format.before.of), dice) + prefix : prefix;
    const body = withChecksum(format, head, sampleOf(format.body, dice));
    if (format.isValid?.(body, head + body) ?? true) return format.isLabel ? body : head + body;
  }
  throw new Error(`no valid sample of ${format.kind} in 2,000 attempts`);
}

function withChecksum(format: TokenFormat, head: string, body: string): string {
  if (format.kind === 'perdure_credential') return body.slice(0, -6) + base62Checksum(head + body.slice(0, -6));
  const isGithub = /^gh[a-z]_$/.test(head) && !body.includes('.');
  return isGithub ? body.slice(0, 30) + base62Checksum(body.slice(0, 30)) : body;
}

const pick = (length: number, from: readonly string[], dice: Dice): string =>
  Array.from({ length }, () => from[dice(from.length)] ?? '').join('');

const charactersOf = (name: keyof typeof CHARACTER_CLASSES): string[] =>
  ALL.filter((character) => CHARACTER_CLASSES[name](character.charCodeAt(0)));

/**
 * A random text that an expression of the format tables matches. Knows what they use: literals, escapes, classes,
 * groups with alternatives, `?`, `{n}`, `{n,}`, `{n,m}`.
 */
function sampleOf(expression: string, dice: Dice): string {
  const reader = new ExpressionReader(expression, dice);
  return reader.alternatives();
}

class ExpressionReader {
  #at = 0;
  readonly #source: string;
  readonly #dice: Dice;

  constructor(source: string, dice: Dice) {
    this.#source = source;
    this.#dice = dice;
  }

  alternatives(): string {
    const options = [this.#sequence()];
    while (this.#source[this.#at] === '|') {
      this.#at += 1;
      options.push(this.#sequence());
    }
    return options[this.#dice(options.length)] ?? '';
  }

  #sequence(): string {
    let text = '';
    while (this.#at < this.#source.length && !'|)'.includes(this.#source[this.#at] ?? '')) text += this.#repeated();
    return text;
  }

  #repeated(): string {
    const begin = this.#at;
    let text = this.#atom();
    const end = this.#at;
    const count = this.#count();
    if (count === 0) return '';
    const after = this.#at;
    for (let done = 1; done < count; done += 1) {
      this.#at = begin;
      text += this.#atom();
    }
    this.#at = Math.max(after, end);
    return text;
  }

  #atom(): string {
    const rest = this.#source.slice(this.#at);
    if (rest.startsWith('(?:')) return this.#group();
    const written = /^(?:\[(?:\\.|[^\]])+\]|\\.|[^\\])/.exec(rest)?.[0] ?? '';
    this.#at += written.length;
    if (written.length === 1) return written;
    const isMember = new RegExp(`^${written}$`);
    return pick(
      1,
      ALL.filter((character) => isMember.test(character)),
      this.#dice,
    );
  }

  #group(): string {
    this.#at += '(?:'.length;
    const text = this.alternatives();
    this.#at += 1;
    return text;
  }

  #count(): number {
    const written = /^(?:\?|\{(\d+)(,?)(\d*)\})/.exec(this.#source.slice(this.#at));
    if (written === null) return 1;
    this.#at += written[0].length;
    if (written[0] === '?') return this.#dice(2);
    const least = Number(written[1]);
    if (written[2] === '') return least;
    const most = written[3] ? Number(written[3]) : least + SURPLUS;
    return least + this.#dice(Math.min(most - least, SURPLUS) + 1);
  }
}
