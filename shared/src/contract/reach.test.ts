import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import type { Route } from './route.ts';
import { routes } from './routes.ts';

interface Schema {
  $ref?: string;
  $defs?: Record<string, Schema>;
  properties?: Record<string, Schema>;
  items?: Schema;
}

/** Where the fields of a name stand in what a route takes, as its `reach` writes it: `body.items[].namespace`. */
function placesOf(route: Route, isMeant: (field: string) => boolean): string[] {
  const parts = { params: route.params, query: route.query, body: route.body };
  return Object.entries(parts).flatMap(([part, schema]) => (schema ? fieldsIn(schema, part, isMeant) : []));
}

function fieldsIn(schema: z.ZodType, part: string, isMeant: (field: string) => boolean): string[] {
  const whole = schema.toJSONSchema({ io: 'input', unrepresentable: 'any' }) as Schema;
  const visit = (one: Schema, place: string): string[] => {
    const { properties = {}, items } = one.$ref
      ? (whole.$defs?.[one.$ref.split('/').at(-1) ?? ''] ?? {})
      : one;
    if (items) return visit(items, `${place}[]`);
    return Object.entries(properties).flatMap(([name, inner]) => {
      const found = visit(inner, `${place}.${name}`);
      return isMeant(name) ? [`${place}.${name}`, ...found] : found;
    });
  };
  return visit(whole, part);
}

const reaching = routes.flatMap((route) => {
  const { reach } = route;
  return reach === undefined || reach === 'nothing' ? [] : [[route.id, route, reach] as const];
});

describe('what a narrower key needs', () => {
  test('is said by every route that a key of scope read or write may ask', () => {
    const silent = routes.filter(
      ({ scope, reach }) => (scope === 'read' || scope === 'write') && reach === undefined,
    );
    expect(silent.map(({ id }) => id)).toEqual([]);
    expect(reaching.length).toBeGreaterThan(50);
    expect(reaching.filter(([, , { can }]) => can.length === 0)).toEqual([]);
  });

  // Those of the whole account are refused whatever they name.
  const named = reaching.filter(([, , { absent, refused, filtered }]) => absent ?? refused ?? filtered);

  test.each(named)(
    '%s names each place where a namespace stands, and no other',
    (_, route, { absent, refused }) => {
      const said = [...(absent ?? []), ...(refused ?? [])].filter((place) => place.includes('.'));
      expect(said.toSorted()).toEqual(placesOf(route, (name) => name === 'namespace').toSorted());
    },
  );

  test.each(reaching)('%s says where a memory is given an end', (_, route, { ends = [] }) => {
    expect(ends).toEqual(placesOf(route, (name) => name === 'expires_at'));
  });

  test.each(reaching)(
    '%s names what has an id that is of a namespace',
    (_, route, { absent = [], refused = [] }) => {
      const isOfAll = absent.length + refused.length === 0;
      const hasPlace = absent.some((place) =>
        ['insight', 'dream', 'session', 'params.namespace'].includes(place),
      );
      if (placesOf(route, (name) => name === 'id').includes('params.id'))
        expect(isOfAll || hasPlace).toBe(true);
    },
  );

  test('a memory is read with `read` alone, and what only reads changes nothing', () => {
    for (const [id, { scope }, { can }] of reaching)
      if (scope === 'read') expect([id, can]).toEqual([id, ['read']]);
      else expect([id, can.some((one) => one !== 'read')]).toEqual([id, true]);
  });
});
