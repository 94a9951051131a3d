import { allOperations } from '@perdure/contracts';
import { expressPath, pathParameters, routeTable } from './route-table.js';

const table = routeTable();

test('T2: every operation stands at exactly one address', () => {
  const placed = table.flatMap(({ operations }) => operations.map(({ name }) => name));
  expect(placed.toSorted()).toEqual(allOperations.map(({ name }) => name).toSorted());
});

test('T2: no two addresses differ in the names of their parameters alone', () => {
  const shapes = table.map(({ path }) => path.replaceAll(/\{[a-z_]+\}/g, '{}'));
  expect(new Set(shapes).size).toBe(shapes.length);
});

test('T2: an address that says more stands before one that swallows it, in whatever order they are declared', () => {
  const [one] = allOperations;
  if (one === undefined) throw new Error('the catalogue is empty');
  const paths = ['/v1/a/{x}', '/v1/{x}/b', '/v1/a/b/c', '/v1/a', '/v1/a/b', '/v1/a/{x}/c', '/v1/{x}'] as const;
  const orders = [paths, paths.toReversed()].map((declared) =>
    routeTable(declared.map((path) => ({ ...one, route: { method: 'GET', path } }))).map(({ path }) => path),
  );
  expect(orders[0]).toEqual(orders[1]);
  expect(orders[0]).toEqual(['/v1/a', '/v1/a/b', '/v1/a/b/c', '/v1/a/{x}', '/v1/a/{x}/c', '/v1/{x}', '/v1/{x}/b']);
});

test('a path as Express writes it, and its parameters', () => {
  expect(expressPath('/v1/projects/{project}/brief')).toBe('/projects/:project/brief');
  expect(pathParameters('/v1/a/{one}/b/{two_parts}')).toEqual(['one', 'two_parts']);
});
