import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { REPOSITORY_ROOT } from '../repository-root.js';

const script = (name: string) => path.join(REPOSITORY_ROOT, 'scripts', name);

/** The scripts are ES modules, read before anything is built: a process of their own. */
function read(argv: readonly string[], workingFolder: string): unknown {
  const program = `import { readArguments } from ${JSON.stringify(pathToFileURL(script('stack-arguments.mjs')).href)};
    const { commandFor, ...read } = readArguments('npm start', ${JSON.stringify(argv)});
    console.log(JSON.stringify({ ...read, again: commandFor(read.portBase), beside: commandFor(7500) }));`;
  const env = { ...process.env, INIT_CWD: workingFolder };
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], { env, encoding: 'utf8' });
  return JSON.parse(stdout);
}

const run = (name: string, argv: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script(name), ...argv], { encoding: 'utf8' });
  return { status, stdout, stderr };
};

it('has a place and ports without arguments', () => {
  expect(read([], '/elsewhere')).toEqual({
    dataDir: path.join(REPOSITORY_ROOT, '.perdure'),
    portBase: 7400,
    again: 'npm start',
    beside: 'npm start -- --port-base 7500',
  });
});

it('takes a folder from where the user stands, and a port base, and can say both again', () => {
  const expected = {
    dataDir: '/where/ada/stands/mine',
    portBase: 9000,
    again: 'npm start -- --port-base 9000 --data /where/ada/stands/mine',
    beside: 'npm start -- --port-base 7500 --data /where/ada/stands/mine',
  };
  expect(read(['--data', 'mine', '--port-base', '9000'], '/where/ada/stands')).toEqual(expected);
  expect(read(['--data=mine', '--port-base=9000'], '/where/ada/stands')).toEqual(expected);
});

it.each([
  ['start.mjs', 'Usage: npm start'],
  ['demo.mjs', 'Usage: npm run demo'],
])('%s is asked for help', (name, usage) => {
  const { status, stdout, stderr } = run(name, ['--help']);
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(usage);
});

it.each([
  ['start.mjs', ['--port-base', '0'], 'a number from 1'],
  ['start.mjs', ['--port-base', '65530'], 'a number from 1'],
  ['start.mjs', ['--port-base', '7e3'], 'a number from 1'],
  ['start.mjs', ['--port-base'], 'argument missing'],
  ['start.mjs', ['--prot-base', '9000'], 'Unknown option --prot-base; did you mean --port-base?'],
  ['start.mjs', ['--date=x'], 'Unknown option --date; did you mean --data?'],
  ['start.mjs', ['start'], 'Unexpected argument'],
  ['demo.mjs', ['--port', '9000'], 'Unknown option --port; did you mean --port-base?'],
])('%s refuses %j before anything else, without a stack trace', (name, argv, why) => {
  const { status, stdout, stderr } = run(name, argv);
  expect([status, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/\n\nUsage: npm (?:start|run demo) --/);
  expect(stderr).toContain(why);
  expect(stderr).not.toContain('    at ');
});
