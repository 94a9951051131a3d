import { isWellFormed } from './bytes.js';

const MAX_DEPTH = 32;
const MAX_BYTES = 64 * 1024;
const TOO_LONG = `is longer than ${MAX_BYTES} bytes in its canonical form`;
/** A path names keys of foreign data: long enough to find the place, too short to flood a log. */
const MAX_PATH_CHARACTERS = 200;
/** Printable ASCII without quotation mark and backslash: nearly all strings, and JSON writes them as they are. */
const PLAIN = /^[ !#-[\]-~]*$/;
const encoder = new TextEncoder();

/** Why a value has no canonical form: `path` says where (`$.parts[2]`, `$` being the value itself), `reason` says what is wrong. */
export class CanonicalFormError extends Error {
  override readonly name = 'CanonicalFormError';

  constructor(
    readonly path: string,
    readonly reason: string,
  ) {
    super(`${path}: ${reason}`);
  }
}

/**
 * The RFC 8785 text of a value that passes the gate: plain objects, dense arrays, well-formed strings without U+0000 (keys
 * too), booleans, null and safe integers (-0 is written 0), at most 32 containers deep and 65,536 UTF-8 bytes long.
 * What JSON would silently drop or change (undefined, holes, toJSON, NaN, 2^53) is refused, never written as something else.
 * @throws CanonicalFormError naming the first offending place.
 */
export function canonicalForm(value: unknown): string {
  const text = new CanonicalWriter('safe-integers').write(value);
  // A UTF-16 unit takes at most three bytes of UTF-8: most texts need no counting.
  const mayBeTooLong = text.length * 3 > MAX_BYTES;
  if (mayBeTooLong && encoder.encode(text).length > MAX_BYTES) throw new CanonicalFormError('$', TOO_LONG);
  return text;
}

/** The RFC 8785 text with any finite number: the layer below the gate, there to be checked against foreign vectors. */
export function jcsText(value: unknown): string {
  return new CanonicalWriter('finite-numbers').write(value);
}

/** Whether the text is exactly what `canonicalForm` writes for the value it holds. Never throws. */
export function isCanonicalText(text: string): boolean {
  return recanonicalized(text) === text;
}

/** The canonical form of the JSON in `text`; undefined where it is no JSON or does not pass the gate. Never throws. */
export function recanonicalized(text: string): string | undefined {
  try {
    return canonicalForm(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/**
 * Gate and writer in one walk, so that a value is read once: a getter cannot show the gate one thing and the writer another.
 * `canonicalize` cannot stand here: version 4 exports itself to `import` alone, which a CommonJS build cannot reach. Behind
 * the gate RFC 8785 is sorted keys and JSON.stringify for the scalars; a test compares every text with `canonicalize`.
 */
class CanonicalWriter {
  private readonly path: (string | number)[] = [];
  private written = 0;

  constructor(private readonly numbers: 'safe-integers' | 'finite-numbers') {}

  write(value: unknown): string {
    if (typeof value === 'string') return this.string(value);
    if (typeof value === 'number') return this.number(value);
    if (typeof value === 'boolean' || value === null) return this.counted(String(value));
    if (typeof value !== 'object') return this.refuse(`must be JSON data, not ${describe(value)}`);
    if (this.path.length >= MAX_DEPTH) return this.refuse(`is nested more than ${MAX_DEPTH} levels deep`);
    return Array.isArray(value) ? this.array(value) : this.object(value);
  }

  private string(text: string, what = 'string'): string {
    if (PLAIN.test(text)) return this.counted(`"${text}"`);
    if (text.includes('\0')) return this.refuse(`is a ${what} with U+0000 in it`);
    if (!isWellFormed(text)) return this.refuse(`is a ${what} with a lone surrogate in it`);
    return this.counted(JSON.stringify(text));
  }

  private number(value: number): string {
    if (this.numbers === 'safe-integers' && !Number.isSafeInteger(value)) {
      return this.refuse('must be a safe integer; write any other number as a decimal string');
    }
    if (!Number.isFinite(value)) return this.refuse('must be a finite number');
    return this.counted(JSON.stringify(value));
  }

  private array(values: readonly unknown[]): string {
    const parts: string[] = [];
    this.counted('[]');
    for (let index = 0; index < values.length; index += 1) {
      if (!Object.hasOwn(values, index)) return this.refuse(`has a hole at index ${index}`);
      this.path.push(index);
      parts.push(this.write(values[index]));
      this.path.pop();
    }
    // Own keys are the indices and `length`; whatever else hangs on the array would be lost in the text.
    if (Reflect.ownKeys(values).length !== values.length + 1) return this.refuse('is an array with named properties');
    return `[${parts.join(',')}]`;
  }

  private object(value: object): string {
    if (!isPlainObject(value)) return this.refuse(`must be a plain object, not ${describe(value)}`);
    const keys: string[] = [];
    for (const key of Reflect.ownKeys(value)) {
      if (typeof key === 'symbol') return this.refuse('has a symbol as key');
      keys.push(key);
    }
    this.counted('{}');
    // The default order compares UTF-16 code units, as RFC 8785 section 3.2.3 demands.
    return `{${keys
      .sort()
      .map((key) => this.member(value, key))
      .join(',')}}`;
  }

  private member(owner: object, key: string): string {
    const property = Object.getOwnPropertyDescriptor(owner, key);
    this.path.push(key);
    if (!property?.enumerable || !('value' in property)) return this.refuse('is a hidden or computed property');
    const text = `${this.string(key, 'key')}:${this.write(property.value)}`;
    this.path.pop();
    return text;
  }

  /**
   * Stops a walk that is too long already: UTF-16 units never outnumber UTF-8 bytes. Without it 32 levels of an object that
   * holds itself twice would be 4 billion visits.
   */
  private counted(text: string): string {
    this.written += text.length;
    if (this.written > MAX_BYTES && this.numbers === 'safe-integers') throw new CanonicalFormError('$', TOO_LONG);
    return text;
  }

  private refuse(reason: string): never {
    throw new CanonicalFormError(pathText(this.path), reason);
  }
}

/** Judged by shape rather than identity, so that an object of another realm (a frame, a worker's vm context) passes too. */
function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === null) return true;
  if (typeof prototype !== 'object') return false;
  return Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype, 'isPrototypeOf');
}

function describe(value: unknown): string {
  if (typeof value !== 'object') return value === undefined ? 'undefined' : `a ${typeof value}`;
  const tag = Object.prototype.toString.call(value).slice('[object '.length, -1);
  return tag === 'Object' ? 'an instance of a class' : `a ${tag}`;
}

function pathText(path: readonly (string | number)[]): string {
  const steps = path.map((step) => {
    if (typeof step === 'number') return `[${step}]`;
    return /^[A-Za-z_]\w*$/.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`;
  });
  const text = `$${steps.join('')}`;
  return text.length <= MAX_PATH_CHARACTERS ? text : `${text.slice(0, MAX_PATH_CHARACTERS)}…`;
}
