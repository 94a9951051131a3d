// `npm run measure [-- --worst]`: what the sources look like in figures, beside the best seen in this field and our own aim.
// Reference points, not gates: it always exits 0. `--worst` names the files behind the largest figures.
import path from 'node:path';
import { functionsIn } from './measure/functions.mjs';
import { importCycles } from './measure/import-cycles.mjs';
import { anyCount, foldersUnderSource, lineKinds } from './measure/lines.mjs';
import { readSourceFiles } from './measure/source-files.mjs';

const ROOT = path.resolve(import.meta.dirname, '..');
const WORST_SHOWN = 5;

const ascending = (values) => values.toSorted((a, b) => a - b);
const sum = (values) => values.reduce((total, value) => total + value, 0);
/** Nearest rank: a length that some file really has. */
const percentile = (values, share) => ascending(values)[Math.max(0, Math.ceil(values.length * share) - 1)] ?? 0;
const largest = (values) => percentile(values, 1);
const percent = (part, whole) => (whole === 0 ? 0 : (100 * part) / whole);
const verdict = (holds) => (holds ? 'yes' : 'no');

const figures = ({ sources, tests }) => {
  const lengths = sources.map((file) => file.lineCount);
  const functions = sources.flatMap(functionsIn);
  const kinds = sources.map(lineKinds);
  const sourceLines = sum(lengths);
  const comment = sum(kinds.map((kind) => kind.comment));
  return {
    fileCount: sources.length,
    sourceLines,
    file: { median: percentile(lengths, 0.5), p95: percentile(lengths, 0.95), max: largest(lengths) },
    functionCount: functions.length,
    functionLength: {
      p95: percentile(
        functions.map(({ length }) => length),
        0.95,
      ),
      max: largest(functions.map(({ length }) => length)),
    },
    nesting: {
      max: largest(functions.map(({ depth }) => depth)),
      flat: percent(functions.filter(({ depth }) => depth <= 3).length, functions.length),
    },
    cycles: importCycles(ROOT, [...sources, ...tests]),
    anyPerThousand: sourceLines === 0 ? 0 : (1000 * sum(sources.map(anyCount))) / sourceLines,
    testRatio: sourceLines === 0 ? 0 : sum(tests.map((file) => file.lineCount)) / sourceLines,
    commentShare: percent(comment, comment + sum(kinds.map((kind) => kind.code))),
    folders: largest(sources.map(foldersUnderSource)),
    functions,
  };
};

const rowsOf = ({ file, functionLength, nesting, cycles, anyPerThousand, testRatio, commentShare, folders }) => [
  ['figure', 'ours', 'best seen', 'ours should be', 'met'],
  [
    'file length median / p95 / max',
    `${file.median} / ${file.p95} / ${file.max}`,
    '44–100 / 266–391 / 889',
    '60–90 / ≤ 250 / ≤ 400',
    verdict(file.median >= 60 && file.median <= 90 && file.p95 <= 250 && file.max <= 400),
  ],
  [
    'function length p95 / max',
    `${functionLength.p95} / ${functionLength.max}`,
    '52 / 301',
    '≤ 45 / ≤ 60',
    verdict(functionLength.p95 <= 45 && functionLength.max <= 60),
  ],
  [
    'nesting of control structures',
    `max ${nesting.max}, ≤ 3 in ${nesting.flat.toFixed(1)} %`,
    '≤ 3 in 99.8 %',
    '≤ 3',
    verdict(nesting.max <= 3),
  ],
  ['import cycles, type imports included', String(cycles.length), '0', '0', verdict(cycles.length === 0)],
  ['`any` per 1,000 lines', anyPerThousand.toFixed(1), '0.2', '0', verdict(anyPerThousand === 0)],
  ['test lines per source line', testRatio.toFixed(2), '0.9–2.3', '≥ 1', verdict(testRatio >= 1)],
  [
    'comment lines',
    `${commentShare.toFixed(1)} %`,
    '8–14 %',
    '10–14 %',
    verdict(commentShare >= 10 && commentShare <= 14),
  ],
  ['folder depth under src', String(folders), '2–4', '≤ 3', verdict(folders <= 3)],
];

const printTable = (rows) => {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const line = (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`;
  console.log(line(rows[0]));
  console.log(`|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`);
  for (const row of rows.slice(1)) console.log(line(row));
};

const printWorst = (title, entries, value, place) => {
  console.log(`\n${title}`);
  const worst = entries.toSorted((a, b) => value(b) - value(a)).slice(0, WORST_SHOWN);
  for (const entry of worst) console.log(`  ${String(value(entry)).padStart(4)}  ${place(entry)}`);
};

const files = readSourceFiles(ROOT);
const measured = figures(files);
console.log(`${measured.fileCount} source files, ${measured.sourceLines} lines, ${measured.functionCount} functions\n`);
printTable(rowsOf(measured));
console.log(
  '\nSources: libs/*/src and apps/*/src without specs and without the test kit, which counts with e2e as test lines.',
);
console.log('Functions: those with a block body. Comment lines: of all lines that are not blank.');
for (const cycle of measured.cycles) console.log(`\nImport cycle: ${cycle.join(' → ')}`);
if (process.argv.includes('--worst')) {
  printWorst(
    'Longest files',
    files.sources,
    (file) => file.lineCount,
    (file) => file.path,
  );
  const place = ({ path: file, line }) => `${file}:${line}`;
  printWorst('Longest functions', measured.functions, ({ length }) => length, place);
  printWorst('Deepest nesting', measured.functions, ({ depth }) => depth, place);
}
