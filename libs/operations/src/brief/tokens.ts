/**
 * The rule by which a brief counts tokens: one for each four bytes of UTF-8, rounded up. Tokenisers of current models
 * take about four characters of English a token and about a character of Chinese or Japanese, which has three bytes.
 */
export const estimateTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / 4);

/** The longest beginning of a text within so many code points, with an ellipsis where something was cut. */
export function cutText(text: string, max: number): string {
  const points = [...text];
  return points.length <= max
    ? text
    : `${points
        .slice(0, max - 1)
        .join('')
        .trimEnd()}…`;
}
