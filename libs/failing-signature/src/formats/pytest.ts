import { group, linesUntil, type ReadRun, type TestFailure } from '../test-failure.js';

const SUMMARY =
  /^(?:=+ )?(?:no tests ran|\d+ (?:passed|failed|errors?|skipped|deselected|xfailed|xpassed)\b).* in [\d.]+s/m;
/** In the short summary: the node id, and after a dash the first words of the message. */
const FAILED =
  /^(?:FAILED|ERROR) (?<id>[^\s:]+\.py(?:::(?:[^\s[]|\[.*?\](?= - |$)|\[[^\]]*\])+)?)(?: - (?<message>.*))?$/;
const SECTION = /^_{3,} (?:ERROR (?:at (?:setup|teardown) of|collecting) )?(?<title>\S.*?) _{3,}$/;
const SECTIONS_END = /^=+ .* =+$/;
const ASSERTION = /^E(?:\s|$)/;
const LOCATION = /^(?<file>[^\s:]+\.py):\d+: /;

/** Pytest's terminal report (pytest 6 to 9), in any of its traceback styles. */
export function readPytest(output: string): ReadRun | null {
  if (!SUMMARY.test(output)) return null;
  const lines = output.split('\n');
  const sections = sectionsOf(lines);
  const summed = lines.flatMap((line): TestFailure[] => {
    const match = FAILED.exec(line);
    if (!match) return [];
    const [file = '', ...names] = namesOf(group(match, 'id'));
    const message = sections.get(names.join('.') || file)?.message;
    return [{ file, names, message: message || group(match, 'message') }];
  });
  // Without a short summary (-rN) the sections say it.
  const failures = summed.length > 0 ? summed : [...sections.values()];
  return { failures };
}

/** Parts of a node id; `::` within the brackets of a parameter set is no border. */
function namesOf(id: string): string[] {
  const bracket = id.indexOf('[');
  const [plain, parameters] = bracket === -1 ? [id, ''] : [id.slice(0, bracket), id.slice(bracket)];
  const names = plain.split('::');
  return [...names.slice(0, -1), `${names.at(-1) ?? ''}${parameters}`];
}

function sectionsOf(lines: readonly string[]): Map<string, TestFailure> {
  const sections = new Map<string, TestFailure>();
  for (const [index, line] of lines.entries()) {
    const title = group(SECTION.exec(line), 'title');
    if (title === '') continue;
    const block = linesUntil(lines.slice(index + 1), (next) => SECTION.test(next) || SECTIONS_END.test(next));
    const file = group(block.map((next) => LOCATION.exec(next)).find(Boolean), 'file');
    const message = block.filter((next) => ASSERTION.test(next)).join('\n');
    const names = title.endsWith('.py') ? [] : title.split(/\.(?![^[]*\])/);
    sections.set(title, { file: file || title, names, message });
  }
  return sections;
}
