import { expect, test } from 'vitest';
import { scopeOf } from '../testing/scopes.ts';
import { routes } from './routes.ts';

test('each route needs the scope that is written down for it, and none is written down that is not there', () => {
  const said = routes.map(({ id, scope }) => [id, scope] as const);
  expect(new Map(said)).toEqual(scopeOf);
  expect(said).toHaveLength(scopeOf.size);
});
