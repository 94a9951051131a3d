import { group, linesUntil, type ReadRun, type TestFailure } from '../test-failure.js';

const SUMMARY = /^test result: |^\s*(?:FAIL|PASS) \[\s*[\d.]+s\]/m;
const BINARY = /^\s*Running .*\((?:.*[\\/])?(?<crate>[\w-]+?)-[0-9a-f]{8,}(?:\.exe)?\)$/;
const DOC_TESTS = /^\s*Doc-tests (?<crate>\S+)$/;
const FAILED = /^test (?<test>.+?)(?: - should panic)? \.\.\. FAILED$/;
const SECTION = /^---- (?<test>.+?) stdout ----$/;
const SECTION_END = /^(?:---- .* stdout ----|failures:|note: run with|stack backtrace:)/;
/** cargo-nextest: `FAIL [   0.012s] (3/9) crate module::test`. */
const NEXTEST = /^\s*FAIL \[\s*[\d.]+s\]\s+(?:\(\s*\d+\/\d+\)\s+)?(?<crate>\S+) (?<test>\S+)$/;

/** `cargo test` of the standard harness, and cargo-nextest's verdicts. */
export function readCargoTest(output: string): ReadRun | null {
  if (!SUMMARY.test(output)) return null;
  const lines = output.split('\n');
  const failures: TestFailure[] = [];
  let crate = '';
  let sections = new Map<string, string>();
  for (const [index, line] of lines.entries()) {
    const begun = group(BINARY.exec(line) ?? DOC_TESTS.exec(line), 'crate');
    if (begun !== '') {
      crate = begun;
      sections = sectionsOf(linesUntil(lines.slice(index + 1), (next) => BINARY.test(next) || DOC_TESTS.test(next)));
    } else if (index === 0) sections = sectionsOf(lines);
    const match = FAILED.exec(line) ?? NEXTEST.exec(line);
    if (!match) continue;
    const test = group(match, 'test');
    failures.push({
      file: group(match, 'crate') || crate,
      names: test.split('::'),
      message: sections.get(test) ?? '',
    });
  }
  return { failures };
}

function sectionsOf(lines: readonly string[]): Map<string, string> {
  const found = lines.flatMap((line, index): [string, string][] => {
    const test = group(SECTION.exec(line), 'test');
    return test === '' ? [] : [[test, linesUntil(lines.slice(index + 1), (next) => SECTION_END.test(next)).join('\n')]];
  });
  return new Map(found);
}
