const SPEAKS_OF_AN_ERROR =
  /\b(?:error|errors|fatal|panic|panicked|exception|traceback|segmentation fault|aborted|killed|failed|failure|cannot|undefined|not found|core dumped)\b|\b\w*(?:Error|Exception)\b/i;
/** The sum at the end says how many, not what. */
const IS_A_SUM = /^\s*(?:found \d+ errors?|\d+ errors?|errors?: \d+|warning)/i;
const PYTHON_EXCEPTION = /^[A-Za-z_][\w.]*(?:Error|Exception|Interrupt|Exit)\b.*$/m;

/** The first line that speaks of an error, the exception of a Python traceback, or else the last line that says anything. */
export function firstErrorLine(output: string): string | null {
  const traceback = output.indexOf('Traceback (most recent call last):');
  const exception = traceback === -1 ? null : PYTHON_EXCEPTION.exec(output.slice(traceback));
  if (exception) return exception[0];
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  return lines.find((line) => SPEAKS_OF_AN_ERROR.test(line) && !IS_A_SUM.test(line)) ?? lines.at(-1) ?? null;
}
