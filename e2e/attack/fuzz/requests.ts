import type { Route } from '@reverie/shared/contract/route';
import fc from 'fast-check';
import { newAddress } from '../grounds.ts';
import type { Sent } from '../sending.ts';
import { fromSchema, type Schema, type Words } from './from-schema.ts';
import { hostileBody, oddTexts, spoiled } from './spoil.ts';

/** One operation of an OpenAPI document. */
export interface Operation {
  route: Route;
  statuses: ReadonlySet<number>;
  parameters: readonly { name: string; in: 'path' | 'query' | 'header'; required: boolean; schema: Schema }[];
  body?: Schema | undefined;
}

/** Keys of many kinds, the one that may do most being the likeliest. */
export interface Keys {
  best: string;
  others: readonly (Record<string, string> | string)[];
}

/** Requests to one operation: valid, nearly valid and hostile ones; the same for the same seed. */
export function requestsTo(
  operation: Operation,
  { words, keys }: { words: Words; keys: Keys },
  { seed, times }: { seed: number; times: number },
): Sent[] {
  const { route, parameters, body } = operation;
  const values = (kind: 'path' | 'query') => {
    const wanted = parameters.filter((one) => one.in === kind);
    const fields = Object.fromEntries(
      wanted.map((one) => [one.name, fromSchema(one.schema, words, one.name)]),
    );
    const requiredKeys = wanted.filter(({ required }) => required || kind === 'path').map(({ name }) => name);
    return fc.record(fields, { requiredKeys });
  };
  const valid = body && fromSchema(body, words);
  const json = (given: fc.Arbitrary<unknown>) =>
    given.map((made) => ({
      body: JSON.stringify(made),
      type: 'application/json',
    }));
  const none = fc.constant({ body: undefined, type: undefined });
  const bodies = valid
    ? fc.oneof(
        { weight: 5, arbitrary: json(valid) },
        { weight: 3, arbitrary: json(spoiled(valid)) },
        { weight: 2, arbitrary: json(valid).chain(({ body: text }) => hostileBody(text)) },
      )
    : fc.oneof({ weight: 9, arbitrary: none }, { weight: 1, arbitrary: hostileBody('{}') });
  const made = fc.record({
    path: odd(values('path'), 1),
    query: odd(values('query'), 3),
    body: bodies,
    key: fc.oneof(
      { weight: 7, arbitrary: fc.constant<Record<string, string> | string>(keys.best) },
      { weight: 2, arbitrary: fc.constantFrom(...keys.others) },
    ),
    more: fc.constantFrom<Record<string, string>>(
      {},
      {},
      {},
      {},
      {},
      { 'Idempotency-Key': 'the same' },
      { 'Idempotency-Key': 'x'.repeat(300) },
      { Accept: 'text/html' },
      { Accept: '*;q=' },
      { 'Accept-Encoding': 'gzip' },
    ),
  });
  return fc.sample(made, { seed, numRuns: times }).map((one): Sent => {
    const at = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => escaped(one.path[name] ?? 'x'));
    const query = Object.entries(one.query).map(([name, value]) => `${escaped(name)}=${escaped(value)}`);
    return {
      method: route.method,
      path: `/v1${at}${query.length > 0 ? `?${query.join('&')}` : ''}`,
      headers: {
        'X-Forwarded-For': newAddress(),
        ...(one.body.type !== undefined && { 'Content-Type': one.body.type }),
        ...(typeof one.key === 'string' ? { Authorization: `Bearer ${one.key}` } : one.key),
        ...one.more,
      },
      body: one.body.body,
    };
  });
}

/** Now and then one value is odd, or one that nobody asked for stands beside the others. */
function odd(
  fields: fc.Arbitrary<Record<string, unknown>>,
  weight: number,
): fc.Arbitrary<Record<string, unknown>> {
  const changed = fc.tuple(fields, fc.constantFrom(...oddTexts), fc.nat(100)).map(([given, text, n]) => {
    const names = [...Object.keys(given), ...(weight > 1 ? ['unknown'] : [])];
    const name = names[n % Math.max(1, names.length)];
    return name === undefined ? given : { ...given, [name]: text };
  });
  return fc.oneof({ weight: 9 - weight, arbitrary: fields }, { weight, arbitrary: changed });
}

/** As it stands in an address: a path has no empty part, and lone surrogates cannot be written. */
function escaped(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return encodeURIComponent(text.toWellFormed() || '\u0000')
    .slice(0, 6000)
    .replace(/%[0-9A-F]?$/, '');
}
