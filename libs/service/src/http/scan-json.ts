const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** The text gate of the operations allows 32 levels; a transport wraps a few of its own around them. */
export const MAX_JSON_DEPTH = 64;

/**
 * A key that not every reader has the same way: one that an object has twice, of which the parser keeps the last and
 * another reader may have kept the first (RFC 8259 §4); or `__proto__`, which is lost where the object is copied.
 */
export interface KeyProblem {
  readonly problem: 'twice' | 'reserved';
  /** Keys and indices from the root down to the key. */
  readonly place: readonly string[];
}

export interface JsonShape {
  /** Deepest nesting of arrays and objects. */
  readonly depth: number;
  /** The first such key; null when there is none. */
  readonly badKey: KeyProblem | null;
}

interface Container {
  /** Null for an array. */
  readonly keys: Set<string> | null;
  /** Where the scan is in it. */
  key: string;
  index: number;
  expectsKey: boolean;
}

/**
 * What JSON.parse does not tell: how deep a text is nested, and whether it has a key that cannot be relied on. Keys are
 * compared as they are decoded.
 *
 * One pass, in time and memory linear in the text; strings are skipped natively. Of a text that is no JSON it says
 * something or other, for the parser to refuse: it never throws.
 *
 * @param bytes valid UTF-8, of which no byte of a longer character looks like one of the signs looked for
 * @param maxDepth the scan ends where the nesting passes it
 */
export function scanJson(bytes: Buffer, maxDepth: number): JsonShape {
  const open: Container[] = [];
  let depth = 0;
  let badKey: KeyProblem | null = null;
  for (let index = 0; index < bytes.length && depth <= maxDepth; index += 1) {
    const inner = open.at(-1);
    switch (bytes[index]) {
      case OPEN_ARRAY:
      case OPEN_OBJECT:
        open.push(opened(bytes[index] === OPEN_OBJECT));
        depth = Math.max(depth, open.length);
        break;
      case CLOSE_ARRAY:
      case CLOSE_OBJECT:
        open.pop();
        break;
      case COMMA:
        if (inner !== undefined) next(inner);
        break;
      case COLON:
        if (inner !== undefined) inner.expectsKey = false;
        break;
      case QUOTE: {
        const end = endOfString(bytes, index);
        const problem = inner?.expectsKey === true ? take(inner, textOf(bytes, index, end)) : null;
        if (problem !== null) badKey ??= { problem, place: open.map(placeIn) };
        index = end;
        break;
      }
      default: // white space, numbers, words
        break;
    }
  }
  return { depth, badKey };
}

const opened = (isObject: boolean): Container => ({
  keys: isObject ? new Set() : null,
  key: '',
  index: 0,
  expectsKey: isObject,
});

function next(container: Container): void {
  container.index += 1;
  container.expectsKey = container.keys !== null;
}

function take(container: Container, key: string): KeyProblem['problem'] | null {
  container.key = key;
  if (key === '__proto__') return 'reserved';
  if (container.keys?.has(key) === true) return 'twice';
  container.keys?.add(key);
  return null;
}

const placeIn = ({ keys, key, index }: Container): string => (keys === null ? String(index) : key);

/** Index of the closing quotation mark, or of the last byte. */
function endOfString(bytes: Buffer, start: number): number {
  let end = start;
  do {
    end = bytes.indexOf(QUOTE, end + 1);
    if (end < 0) return bytes.length - 1;
  } while (isEscaped(bytes, end));
  return end;
}

/** An odd number of backslashes before it. */
function isEscaped(bytes: Buffer, index: number): boolean {
  let before = index;
  while (bytes[before - 1] === BACKSLASH) before -= 1;
  return (index - before) % 2 === 1;
}

function textOf(bytes: Buffer, start: number, end: number): string {
  const written = bytes.toString('utf8', start + 1, end);
  if (!written.includes('\\')) return written;
  try {
    return String(JSON.parse(`"${written}"`));
  } catch {
    return written;
  }
}
