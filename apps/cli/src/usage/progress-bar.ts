/** How far a reading is. */
export interface ProgressBar {
  readonly advance: (bytes: number) => void;
  readonly end: () => void;
}

const WIDTH = 30;
const MEGABYTE = 1e6;

/** A line that rewrites itself, on a terminal only: a log would hold every state of it. */
export function progressBar(
  stream: NodeJS.WritableStream & { readonly isTTY?: boolean },
  totalBytes: number,
): ProgressBar {
  if (stream.isTTY !== true || totalBytes === 0) return { advance: () => undefined, end: () => undefined };
  let [read, shown] = [0, -1];
  return {
    advance: (bytes) => {
      read += bytes;
      // A transcript that is being written grows while it is read.
      const percent = Math.min(100, Math.floor((read * 100) / totalBytes));
      if (percent === shown) return;
      shown = percent;
      const bar = '█'.repeat(Math.round((percent * WIDTH) / 100)).padEnd(WIDTH, '░');
      stream.write(`\r${bar} ${percent} % of ${Math.ceil(totalBytes / MEGABYTE)} MB`);
    },
    end: () => void stream.write('\r\u001b[K'),
  };
}
