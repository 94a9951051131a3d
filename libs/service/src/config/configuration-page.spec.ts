import { readFileSync } from 'node:fs';
import path from 'node:path';
import { VARIABLE_NAMES } from './variable-names.js';

const PAGE = path.join(__dirname, '..', '..', '..', '..', 'docs', 'configuration.md');

it('C7: docs/configuration.md has a row for every variable, and none that does not exist', () => {
  const rows = [...readFileSync(PAGE, 'utf8').matchAll(/^\| `(PERDURE_[A-Z_]+)` /gm)].map(([, name = '']) => name);
  expect(rows.toSorted()).toEqual(VARIABLE_NAMES.toSorted());
});
