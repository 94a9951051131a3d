const within = (unit: number, first: string, last: string): boolean =>
  unit >= first.charCodeAt(0) && unit <= last.charCodeAt(0);

export const isDigit = (unit: number): boolean => within(unit, '0', '9');
export const isLower = (unit: number): boolean => within(unit, 'a', 'z');
export const isUpper = (unit: number): boolean => within(unit, 'A', 'Z');
const isHex = (unit: number): boolean => isDigit(unit) || within(unit, 'a', 'f') || within(unit, 'A', 'F');
export const isAlphanumeric = (unit: number): boolean => isDigit(unit) || isLower(unit) || isUpper(unit);
export const isWord = (unit: number): boolean => isAlphanumeric(unit) || unit === 95;

/** Characters that a token's part before its keyword may consist of. */
export const CHARACTER_CLASSES = {
  digit: isDigit,
  hex: isHex,
  alphanumeric: isAlphanumeric,
  base64url: (unit: number): boolean => isWord(unit) || unit === 45,
  azure: (unit: number): boolean => isWord(unit) || unit === 126 || unit === 45 || unit === 46,
} as const satisfies Record<string, (unit: number) => boolean>;

export type CharacterClass = keyof typeof CHARACTER_CLASSES;

const ESCAPED_LINE = 'nrt';

/**
 * True when a token may begin at `offset`: after the start, a non-word character, or something that only looks like one:
 * the two characters `\n` of text inside JSON, a percent escape such as `%3D`, a colour escape of a terminal.
 */
export function canBeginAt(text: string, offset: number): boolean {
  if (offset === 0 || !isWord(text.charCodeAt(offset - 1))) return true;
  const before = text.slice(Math.max(0, offset - 12), offset);
  if (before.at(-2) === '\\' && ESCAPED_LINE.includes(before.at(-1) ?? ' ')) return true;
  if (before.at(-3) === '%' && isHex(before.charCodeAt(before.length - 1))) return true;
  return before.endsWith('m') && before.lastIndexOf('\u001b[') > before.lastIndexOf(' ');
}

export const canEndAt = (text: string, offset: number): boolean =>
  offset >= text.length || !isWord(text.charCodeAt(offset));
