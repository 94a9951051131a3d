import { XMLParser } from 'fast-xml-parser';
import { linesUntil, type ReadRun, type TestFailure } from '../test-failure.js';

type Node = Readonly<Record<string, unknown>>;

const STACK = /^\s*(?:at |File "|#\d+ )/;

/** A JUnit report (the schema of Ant's task, as Surefire, Gradle, pytest and others write it). */
export function readJunitXml(output: string): ReadRun | null {
  const start = output.search(/<testsuites?[\s>]/);
  const end = Math.max(output.lastIndexOf('</testsuites>'), output.lastIndexOf('</testsuite>'));
  if (start === -1 || end === -1) return null;
  // Entities of its own are not defined by any writer of reports, and a file may not make this grow.
  const parser = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: '@', parseAttributeValue: false });
  try {
    const document: unknown = parser.parse(output.slice(start, output.indexOf('>', end) + 1));
    return { failures: casesIn(document).flatMap(failureOf) };
  } catch {
    return null;
  }
}

/** Every `testcase` at whatever depth. */
function casesIn(node: unknown): Node[] {
  if (Array.isArray(node)) return node.flatMap(casesIn);
  if (!isNode(node)) return [];
  return Object.entries(node).flatMap(([name, child]) => (name === 'testcase' ? nodesIn(child) : casesIn(child)));
}

function failureOf(testCase: Node): TestFailure[] {
  const kind = ['failure', 'error'].find((name) => name in testCase);
  if (kind === undefined) return [];
  const [first] = [testCase[kind]].flat();
  const said = isNode(first) ? first : { '#text': first };
  const text = linesUntil(textOf(said['#text']).split('\n'), (line) => STACK.test(line)).join('\n');
  return [
    {
      file: textOf(testCase['@classname']) || textOf(testCase['@file']),
      names: [textOf(testCase['@name'])],
      message: [kind, textOf(said['@type']), textOf(said['@message']) || text].join('\n'),
    },
  ];
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);
/** An element without attributes and text is parsed as an empty string: a test that passed and says nothing. */
const nodesIn = (value: unknown): Node[] => [value].flat().filter(isNode);
const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';
