// `npm run conformance [-- jest arguments]`: what others publish to judge an MCP server, on the real gateway. Prints a table;
// the last line is `N passed, N failed`. conformance/README.md says what is judged and what it needs.
import { conformanceTools } from './conformance-tools.mjs';
import { isPassed, runJest } from './jest-run.mjs';
import { setUp } from './setup.mjs';
import { reportFailure } from './terminal-error.mjs';

/** Runs the suite and the inspector and prints the table. What could not run counts as failed. */
export async function judgeConformance(jestArguments = []) {
  console.log('\nThe MCP conformance suite and the MCP Inspector');
  try {
    const tools = await conformanceTools();
    const chosen = jestArguments.length > 0;
    const env = { PERDURE_CONFORMANCE_TOOLS: JSON.stringify(tools) };
    const result = await runJest({ config: 'jest.conformance.cjs', queue: 'redis', jestArguments, chosen, env });
    printTable(result.files);
    return result;
  } catch (error) {
    reportFailure(error);
    return { passed: 0, failed: 1 };
  }
}

/** One line for each test under the name of its group. */
function printTable(files) {
  const tests = files.flatMap(({ assertionResults }) => assertionResults);
  const groupOf = ({ ancestorTitles }) => ancestorTitles.join(' ');
  for (const group of new Set(tests.map(groupOf))) {
    const members = tests.filter((test) => groupOf(test) === group);
    console.log(`\n${group} (${members.filter(isPassed).length} of ${members.length})`);
    for (const test of members) console.log(`  ${isPassed(test) ? 'passed' : 'FAILED'}  ${test.title}`);
  }
}

async function main(argv) {
  await setUp();
  const { passed, failed } = await judgeConformance(argv);
  console.log(`\n${passed} passed, ${failed} failed`);
  return failed === 0 && passed > 0 ? 0 : 1;
}

if (process.argv[1] === import.meta.filename) {
  process.exitCode = await main(process.argv.slice(2)).catch(reportFailure);
}
