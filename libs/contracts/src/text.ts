/** Length in Unicode code points: every text limit of the product counts them (REQUIREMENTS, head). */
export function codePointLength(text: string): number {
  let count = text.length;
  for (let index = 0; index < text.length - 1; index += 1) {
    if (isHighSurrogate(text.charCodeAt(index)) && isLowSurrogate(text.charCodeAt(index + 1))) {
      count -= 1;
      index += 1;
    }
  }
  return count;
}

const isHighSurrogate = (unit: number) => unit >= 0xd800 && unit <= 0xdbff;
const isLowSurrogate = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff;

/** White space, controls, zero-width characters and the byte order mark: a text of these alone shows nothing. */
const INVISIBLE = /^[\s\p{Cc}\p{Cf}\u115f\u1160\u3164\uffa0]*$/u;

/** True when nothing of the text can be seen. */
export const isBlank = (text: string): boolean => INVISIBLE.test(text);

/** Code points of a single line such as a name, an id of a client or a reason. */
export const LINE_LIMIT = 500;

/** What is wrong with a text that must show something within so many code points; null when nothing is. */
export function textProblem(text: string, { max, blank = false }: { max: number; blank?: boolean }): string | null {
  const length = codePointLength(text);
  if (length > max) return `has ${length} characters; the limit is ${max}`;
  return !blank && isBlank(text) ? 'must hold at least one visible character' : null;
}
