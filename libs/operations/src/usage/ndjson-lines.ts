import { DomainError, USAGE_BATCH_LIMITS } from '@perdure/contracts';

/** A line as it came, without what ends it. */
export interface NdjsonLine {
  /** From 1; blank lines count here, and are no reports. */
  readonly line: number;
  readonly bytes: Buffer;
}

const LINE_FEED = 0x0a;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * Splits NDJSON as it arrives; holds one line at a time. LF and CRLF end a line, a byte order mark is dropped, the last
 * line needs no end.
 *
 * @throws DomainError `too_large` as soon as there is more than a batch may hold: unpacked bytes are counted, so what a
 *   small body unpacks to is never read to its end
 */
export async function* ndjsonLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<NdjsonLine> {
  const { bytes: maxBytes, reports: maxReports } = USAGE_BATCH_LIMITS;
  const begun: Buffer[] = [];
  let [line, reports, bytes] = [0, 0, 0];
  const finished = (last: Buffer): NdjsonLine | null => {
    const whole = trimmed(Buffer.concat([...begun.splice(0), last]), line === 0);
    line += 1;
    if (isBlank(whole)) return null;
    reports += 1;
    if (reports > maxReports) throw tooLarge(`more than ${maxReports} reports`, { limit: maxReports });
    return { line, bytes: whole };
  };
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw tooLarge(`more than ${maxBytes / 1024 / 1024} MiB`, { limit_bytes: maxBytes });
    let rest = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
    for (let end = rest.indexOf(LINE_FEED); end >= 0; end = rest.indexOf(LINE_FEED)) {
      const found = finished(rest.subarray(0, end));
      rest = rest.subarray(end + 1);
      if (found !== null) yield found;
    }
    if (rest.length > 0) begun.push(Buffer.from(rest));
  }
  const last = begun.length === 0 ? null : finished(Buffer.alloc(0));
  if (last !== null) yield last;
}

function trimmed(line: Buffer, isFirst: boolean): Buffer {
  const text = isFirst && line.subarray(0, 3).equals(BYTE_ORDER_MARK) ? line.subarray(3) : line;
  return text.at(-1) === 0x0d ? text.subarray(0, -1) : text;
}

const isBlank = (line: Buffer): boolean => line.every((byte) => byte === 0x20 || byte === 0x09);

const tooLarge = (what: string, details: Record<string, number>) =>
  new DomainError('too_large', `The batch holds ${what}.`, details, 'Send it as several batches.');
