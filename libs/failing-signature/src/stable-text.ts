import { stripVTControlCharacters } from 'node:util';

/** The output as it reads: no colours, no carriage returns, no byte order mark. */
export const plainText = (output: string): string =>
  stripVTControlCharacters(output.replace(/^\uFEFF/, ''))
    .replaceAll('\r\n', '\n')
    .replaceAll('\r', '\n');

/**
 * What differs between two runs of the same failure, and a word in its place. Longer forms come first. A plain number
 * is not among them: `119` against `120` is another failure.
 */
const UNSTABLE: readonly (readonly [RegExp, string])[] = [
  [/\b\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?/g, '<time>'],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, '<id>'],
  [/\b[0-7][0-9A-HJKMNP-TV-Z]{25}\b/g, '<id>'],
  [/\b0x[0-9a-f]+\b\??/gi, '<address>'],
  // Hex of a hash or an object id: digits and letters both, so that neither a word nor a count is taken for one.
  [/\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{12,64}\b/gi, '<id>'],
  [
    /(?<=\[::1?\]|\b(?:localhost|\d{1,3}(?:\.\d{1,3}){3}|[a-z0-9-]+\.(?:local|internal|test|com|org|dev|io))):\d{2,5}\b/gi,
    ':<port>',
  ],
  [/(?<=\bports?[ :=#]{1,3})\d{2,5}\b/gi, '<port>'],
  [/(?<=\b(?:pid|process|goroutine|thread|worker)[ :=#]{1,3})\d+\b/gi, '<n>'],
  [/(?<=^thread '[^'\n]*' )\(\d+\) /gm, ''],
  [
    /(?:file:\/\/)?(?<![\w./:-])(?:[A-Za-z]:[\\/]|\/)(?:[\w.@+~-]+[\\/])+[\w.@+~-]*(?:[:(]\d+(?:[:,]\d+)?\)?)?/g,
    '<path>',
  ],
  [/(?<=\.[A-Za-z]{1,5}):\d+(?::\d+)?\b/g, ''],
  [/(?<=\.[A-Za-z]{1,5})\(\d+,\d+\)/g, ''],
  [/\bline \d+(?:,? col(?:umn)? \d+)?/gi, 'line <n>'],
  [/\b\d+(?:\.\d+)?\s?(?:ns|µs|us|ms|s|secs?|seconds?|mins?|minutes?)\b/g, '<duration>'],
  [/\b\d{2}:\d{2}:\d{2}(?:\.\d+)?\b/g, '<time>'],
  // Seconds, milliseconds and microseconds of an instant of this century.
  [/\b1[5-9]\d{8}(?:\d{3}|\d{6})?(?:\.\d+)?\b/g, '<time>'],
];

/** The text without what differs between two runs of the same failure, on one line. */
export function stableText(text: string): string {
  const replaced = UNSTABLE.reduce((stable, [pattern, word]) => stable.replace(pattern, word), text);
  return replaced.replace(/\s+/gu, ' ').trim();
}
