import path from 'node:path';
import { REPOSITORY_ROOT } from '../repository-root.js';
import { ArgumentError, parseArguments } from './arguments.js';

it('has a place and ports without arguments', () => {
  expect(parseArguments([], '/elsewhere')).toEqual({ dataDir: path.join(REPOSITORY_ROOT, '.perdure'), portBase: 7400 });
});

it('takes a folder from where the user stands, and a port base', () => {
  const expected = { dataDir: path.resolve('/where/ada/stands', 'mine'), portBase: 9000 };
  expect(parseArguments(['--data', 'mine', '--port-base', '9000'], '/where/ada/stands')).toEqual(expected);
  expect(parseArguments(['--data=mine', '--port-base=9000'], '/where/ada/stands')).toEqual(expected);
});

it('is asked for help', () => {
  expect(parseArguments(['--help'], '/')).toBeNull();
});

it.each([
  [['--port-base', '0']],
  [['--port-base', '65530']],
  [['--port-base', '7e3']],
  [['--port-base']],
  [['--prot-base', '9000']],
  [['start']],
])('refuses %j and shows the usage', (argv) => {
  expect(() => parseArguments(argv, '/')).toThrow(ArgumentError);
  expect(() => parseArguments(argv, '/')).toThrow('Usage: npm start');
});
