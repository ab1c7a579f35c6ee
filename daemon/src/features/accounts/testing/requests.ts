import type { Route } from '@reverie/shared/contract/route';

/** A JSON schema, as far as it is read here. */
interface Schema {
  $ref?: string;
  $defs?: Record<string, Schema>;
  type?: string;
  format?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
}

/** A request, as a test asks it of a daemon. */
export interface Attempt {
  method: string;
  path: string;
  body?: unknown;
}

/** What is put into fields, by their names: each value is tried. */
export type Values = Readonly<Record<string, readonly unknown[]>>;

type Fields = Readonly<Record<string, unknown>>;

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

/**
 * Requests of a route, made from its schemas: every way of putting the given values into the fields of those names (also inside of lists
 * and objects), and each other optional field once.
 */
export function requestsOf(route: Route, values: Values): Attempt[] {
  const made: { params: Fields; query: Fields; body: unknown }[] = [];
  for (const params of fillings(route.params, values))
    for (const query of fillings(route.query, values))
      for (const body of fillings(route.body, values)) made.push({ params, query, body });
  return made.map(({ params, query, body }) => ({
    method: route.method,
    path: `/v1${pathOf(route.path, params)}${queryOf(query)}`,
    ...(route.body && { body }),
  }));
}

const TIME = '2031-05-14T12:00:00.000Z';

function pathOf(path: string, params: Fields): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(textOf(params[name] ?? 'x')));
}

function queryOf(query: Fields): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    for (const one of [value].flat()) given.append(name, textOf(one));
  return given.size > 0 ? `?${given.toString()}` : '';
}

function fillings(given: Route['body'], values: Values): Fields[] {
  if (!given) return [{}];
  const whole = given.toJSONSchema({ io: 'input', unrepresentable: 'any' }) as Schema;
  return objectsOf(whole, { values, whole });
}

interface Making {
  values: Values;
  /** Where references lead. */
  whole: Schema;
}

function resolved(schema: Schema, { whole }: Making): Schema {
  if (schema.$ref === undefined) return schema;
  return whole.$defs?.[schema.$ref.split('/').at(-1) ?? ''] ?? {};
}

/** Objects with all that is required and what values are given for; then, one after the other, each other optional field. */
function objectsOf(schema: Schema, making: Making): Record<string, unknown>[] {
  const { properties = {}, required = [] } = resolved(schema, making);
  const names = Object.keys(properties);
  const isFilled = (name: string) =>
    required.includes(name) || hasValues(properties[name] ?? {}, name, making);
  const [filled, others] = [names.filter(isFilled), names.filter((name) => !isFilled(name))];
  let made: Record<string, unknown>[] = [{}];
  for (const name of filled) {
    const all = valuesFor(properties[name] ?? {}, name, making);
    made = made.flatMap((before) =>
      all.map((value) => (value === undefined ? before : { ...before, [name]: value })),
    );
  }
  const more = others.flatMap((name) =>
    made.flatMap((before) =>
      valuesFor(properties[name] ?? {}, name, making)
        .slice(0, 1)
        .map((value) => ({ ...before, [name]: value })),
    ),
  );
  return [...made, ...more];
}

/** Whether a field, or one inside of it, is one of those that values are given for. */
function hasValues(schema: Schema, name: string, making: Making): boolean {
  if (name in making.values) return true;
  const { properties, items } = resolved(schema, making);
  if (items) return hasValues(items, '', making);
  return Object.entries(properties ?? {}).some(([inner, one]) => hasValues(one, inner, making));
}

function valuesFor(schema: Schema, name: string, making: Making): unknown[] {
  const given = making.values[name];
  if (given) return [...given];
  const { type, format, enum: allowed, const: only, anyOf, properties, items } = resolved(schema, making);
  if (allowed) return allowed.slice(0, 1);
  if (only !== undefined) return [only];
  if (anyOf) return valuesFor(anyOf[0] ?? {}, name, making);
  if (items) return valuesFor(items, '', making).map((item) => [item]);
  if (properties) return objectsOf(schema, making);
  if (type === 'object') return [{}];
  if (type === 'integer' || type === 'number') return [1];
  if (type === 'boolean') return [true];
  return [format === 'date-time' ? TIME : 'x'];
}
