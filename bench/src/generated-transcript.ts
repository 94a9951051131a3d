import { closeSync, openSync, writeSync } from 'node:fs';

/** What a generated transcript holds, as it was made. */
export interface GeneratedTruth {
  readonly bytes: number;
  readonly lines: number;
  readonly responses: number;
  readonly outputTokens: number;
  readonly totalTokens: number;
}

const SENTENCES = [
  'The reader keeps one line at a time and gives the buffer back before it asks for more. ',
  'export function readNext(source: Source): Line | null {\\n  const end = source.indexOf(10);\\n  return end < 0 ? null : source.cut(end);\\n}\\n',
  '{\\"type\\":\\"assistant\\",\\"usage\\":{\\"input_tokens\\":3}} is text here and counts for nothing. ',
  'PASS src/reader.spec.ts (4.2 s)\\n  ✓ counts a response once\\n  ✓ survives a torn line\\n',
];
const FLUSH_BYTES = 4 << 20;

/** Numbers that look random and are the same on every machine (mulberry32). */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/**
 * Writes a Claude Code transcript of about so many bytes: a prompt now and then, responses of two lines with usage that
 * grows, results of tools that are half of the bytes, and now and then a line of 2 MB.
 */
export function generateTranscript(file: string, bytes: number): GeneratedTruth {
  const next = numbersFrom(7);
  const truth = { bytes: 0, lines: 0, responses: 0, outputTokens: 0, totalTokens: 0 };
  const handle = openSync(file, 'w');
  let pending: string[] = [];
  let pendingLength = 0;
  const flush = () => {
    truth.bytes += writeSync(handle, pending.join(''));
    [pending, pendingLength] = [[], 0];
  };
  const put = (line: string) => {
    pending.push(line, '\n');
    pendingLength += line.length;
    truth.lines += 1;
    if (pendingLength > FLUSH_BYTES) flush();
  };
  while (truth.bytes + pendingLength < bytes) putTurn(truth, { next, put });
  flush();
  closeSync(handle);
  return truth;
}

interface Writer {
  readonly next: () => number;
  readonly put: (line: string) => void;
}

function putTurn(truth: { -readonly [Key in keyof GeneratedTruth]: number }, { next, put }: Writer): void {
  const number = truth.responses;
  const at = (line: number) => new Date(Date.UTC(2026, 10, 10) + number * 20_000 + line * 1_000).toISOString();
  const text = (length: number) => {
    const sentences: string[] = [];
    for (let size = 0; size < length; size += sentences.at(-1)?.length ?? 1) {
      sentences.push(SENTENCES[Math.floor(next() * SENTENCES.length)] ?? '');
    }
    return sentences.join('');
  };
  const head = `"isSidechain":false,"userType":"external","cwd":"/srv/demo","sessionId":"5e551000-0000-4000-a000-000000000001","version":"2.1.250"`;
  const id = (line: number) => `00000000-0000-4000-a00${line}-${String(number).padStart(12, '0')}`;
  if (number % 9 === 0)
    put(
      `{"parentUuid":null,${head},"type":"user","promptId":"${id(0)}","message":{"role":"user","content":"${text(200)}"},"uuid":"${id(1)}","timestamp":"${at(0)}"}`,
    );
  const [input, written, read, output] = [next() * 9, next() * 4_000, next() * 90_000, 20 + next() * 900].map(
    Math.floor,
  );
  const usage = (tokens: number) =>
    `{"input_tokens":${input},"cache_creation_input_tokens":${written},"cache_read_input_tokens":${read},"cache_creation":{"ephemeral_5m_input_tokens":${written},"ephemeral_1h_input_tokens":0},"output_tokens":${tokens},"service_tier":"standard"}`;
  const answer = (line: number, content: string, tokens: number) =>
    put(
      `{"parentUuid":"${id(1)}",${head},"gitBranch":"main","type":"assistant","requestId":"req_${number}","message":{"model":"claude-opus-4-8","id":"msg_${number}","type":"message","role":"assistant","content":[${content}],"stop_reason":null,"stop_sequence":null,"usage":${usage(tokens)}},"uuid":"${id(line)}","timestamp":"${at(line)}"}`,
    );
  answer(2, `{"type":"text","text":"${text(1_000 + next() * 2_000)}"}`, Math.floor((output ?? 0) / 2));
  answer(
    3,
    `{"type":"tool_use","id":"toolu_${number}","name":"Bash","input":{"command":"${text(1_000 + next() * 2_000)}"}}`,
    output ?? 0,
  );
  const result = text(number % 5000 === 999 ? 1_000_000 : 2_000 + next() * 6_000);
  put(
    `{"parentUuid":"${id(3)}",${head},"type":"user","message":{"role":"user","content":[{"tool_use_id":"toolu_${number}","type":"tool_result","content":"${result}"}]},"toolUseResult":{"stdout":"${result}","stderr":""},"uuid":"${id(4)}","timestamp":"${at(4)}"}`,
  );
  truth.responses += 1;
  truth.outputTokens += output ?? 0;
  truth.totalTokens += (input ?? 0) + (written ?? 0) + (read ?? 0) + (output ?? 0);
}
