import { RE2JS } from 're2js';
import { isDigit, isLower, isUpper } from './characters.js';

/** Parts of made-up values. Random text of 40 base-62 characters holds one of them about once in 100,000. */
const PLACEHOLDER_PART = RE2JS.compile(
  'example|placeholder|redacted|dummy|sample|change_?me|replace|insert|your[_-]|_here|fake[_-]|test[_-]|[_-]test|xxxx|\\*\\*\\*|\\.\\.\\.|…',
  RE2JS.CASE_INSENSITIVE,
);
const SEQUENCE_LENGTH = 8; // `12345678`, `abcdefgh`
const RUN_LENGTH = 7; // `0000000`

/**
 * True for a value that stands for a secret without being one: documented examples, masks, rows of one character,
 * counting sequences, or fewer than 2.8 bits a character (32 random hex digits have 3.5 ± 0.13).
 */
export function isPlaceholder(value: string): boolean {
  return entropyOf(value) < 2.8 || isMadeUp(value);
}

/** A cheap bound of the same: 2.8 bits a character need seven different ones. Case and a few signs are not told apart. */
export function hasVariety(text: string, from: number, to: number): boolean {
  let seen = 0;
  let different = 0;
  for (let index = from; index < to && index < text.length && different < 7; index += 1) {
    const bit = 1 << (text.charCodeAt(index) & 31);
    if ((seen & bit) === 0) different += 1;
    seen |= bit;
  }
  return different >= 7;
}

/** The part of `isPlaceholder` that also holds for short passwords: words, sequences, rows. */
export function isMadeUp(value: string): boolean {
  return (
    PLACEHOLDER_PART.matcher(value).find() ||
    hasSequence(value, 1, SEQUENCE_LENGTH) ||
    hasSequence(value, 0, RUN_LENGTH)
  );
}

/** A stretch of `length` characters of which each is `step` code points after the one before it. */
function hasSequence(value: string, step: number, length: number): boolean {
  let run = 1;
  for (let index = 1; index < value.length; index += 1) {
    run = value.charCodeAt(index) - value.charCodeAt(index - 1) === step ? run + 1 : 1;
    if (run >= length) return true;
  }
  return false;
}

/** Shannon entropy in bits a character. */
function entropyOf(value: string): number {
  const counts = new Map<string, number>();
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length);
  return bits;
}

const UUID = RE2JS.compile('^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$');
const HEX = RE2JS.compile('^(?:[0-9a-f]{32,}|[0-9A-F]{32,})$');
const HEX_DIGITS = RE2JS.compile('^[0-9a-f]+$');
/** Paths, addresses, integrity hashes, template and shell references, calls, selectors of objects. */
const REFERENCE = RE2JS.compile(
  '^(?:\\.{0,2}/|~|[a-z]+://|sha(?:1|256|384|512)-|data:|[$%<{@#&*])|\\$\\{|\\{\\{|\\$\\(|::|->|=>|\\?\\?|\\?\\.|\\(\\)|\\);|^[+.,)]',
);

/** True for what leads to a value or computes one instead of being it. */
export const isReference = (value: string): boolean => REFERENCE.matcher(value).find();

export const isUuid = (value: string): boolean => UUID.matcher(value).find();

/** Digests look the same, so this counts only beside a name that says secret. */
export const isLongHex = (value: string): boolean => HEX.matcher(value).find() && !isPlaceholder(value);

const BASE36 = RE2JS.compile('^[0-9a-z]{20,}$');

/** Two kinds of character only, so this too counts only beside a name that says secret. */
export function isLongBase36(value: string): boolean {
  if (!BASE36.matcher(value).find() || HEX_DIGITS.matcher(value).find() || isPlaceholder(value)) return false;
  const { kinds, inWords } = shapeOf(value);
  return kinds.size === 2 && entropyOf(value) >= 3.3 && inWords <= value.length * 0.8;
}

/** `EMPTY_INT32_ARRAY`, `env.S3_KEY_ID`. */
const CONSTANT_NAME = RE2JS.compile('^(?:[a-z][0-9A-Za-z]*\\.)*[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$');
const WORD_LENGTH = 4;

/**
 * True for what a generator made: at least `shortest` characters, a digit, three of the four kinds of character (`_`,
 * `-`, `.` and `/` join words and are none), and at most 60 % of it in words. Identifiers have 70 % and more in words,
 * random base 62 about 10 %.
 */
export function looksGenerated(value: string, shortest: number): boolean {
  if (value.length < shortest) return false;
  const { kinds, inWords } = shapeOf(value);
  if (!kinds.has(DIGIT) || kinds.size < 3 || inWords > value.length * 0.6 || entropyOf(value) < 3) return false;
  return !CONSTANT_NAME.matcher(value).find() && !isReference(value) && !isUuid(value) && !isMadeUp(value);
}

interface Shape {
  readonly kinds: ReadonlySet<number>;
  /** Characters in stretches of four letters and more. */
  readonly inWords: number;
}

function shapeOf(value: string): Shape {
  const kinds = new Set<number>();
  let inWords = 0;
  let begin = 0;
  for (let index = 0; index < value.length; index += 1) {
    if (!'_-./'.includes(value.charAt(index))) kinds.add(kindOf(value.charCodeAt(index)));
    if (index + 1 < value.length && !isBreak(value, index + 1, begin)) continue;
    const length = index + 1 - begin;
    if (length >= WORD_LENGTH && kindOf(value.charCodeAt(index)) <= UPPER) inWords += length;
    begin = index + 1;
  }
  return { kinds, inWords };
}

/** A stretch ends where the kind of character changes, but not after the capital that begins a word. */
function isBreak(value: string, index: number, begin: number): boolean {
  const before = kindOf(value.charCodeAt(index - 1));
  const kind = kindOf(value.charCodeAt(index));
  return kind !== before && !(before === UPPER && kind === LOWER && index - begin === 1);
}

const LOWER = 0;
const UPPER = 1;
const DIGIT = 2;
const OTHER = 3;

function kindOf(unit: number): number {
  if (isLower(unit)) return LOWER;
  if (isUpper(unit)) return UPPER;
  return isDigit(unit) ? DIGIT : OTHER;
}
