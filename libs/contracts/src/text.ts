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
