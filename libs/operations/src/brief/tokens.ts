/**
 * The rule by which a brief counts tokens: one for each four bytes of UTF-8, rounded up. Tokenisers of current models
 * take about four characters of English a token and about a character of Chinese or Japanese, which has three bytes.
 */
export const tokensOfBytes = (bytes: number): number => Math.ceil(bytes / 4);

export const estimateTokens = (text: string): number => tokensOfBytes(Buffer.byteLength(text));

/** The longest beginning of a text within so many code points, with an ellipsis where something was cut; none for 0. */
export function cutText(text: string, max: number): string {
  const points = [...text];
  if (points.length <= max) return text;
  if (max < 1) return '';
  return `${points
    .slice(0, max - 1)
    .join('')
    .trimEnd()}…`;
}
