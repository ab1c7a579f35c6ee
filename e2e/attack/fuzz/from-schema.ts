import fc from 'fast-check';

/** What of JSON Schema the documents use. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  pattern?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
}

export interface Words {
  /** Follows a `$ref`. */
  lookUp: (ref: string) => Schema;
  /** What a field of a name is likely to be: ids that exist, keys that are stored. */
  known: (name: string) => readonly string[];
}

const DAY = 86_400_000;

/** Values that a schema describes, most of them valid, named fields preferably with what the server knows. */
export function fromSchema(schema: Schema, words: Words, name = ''): fc.Arbitrary<unknown> {
  if (schema.$ref !== undefined) return fromSchema(words.lookUp(schema.$ref), words, name);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return fc.oneof(...choices.map((one) => fromSchema(one, words, name)));
  if (schema.allOf)
    return fc.tuple(...schema.allOf.map((one) => fromSchema(one, words, name))).map(([one]) => one);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  switch (type) {
    case 'string':
      return strings(schema, words.known(name));
    case 'integer':
      return fc.oneof(
        {
          weight: 4,
          arbitrary: fc.integer({ min: low(schema), max: Math.min(low(schema) + 20, high(schema)) }),
        },
        { weight: 1, arbitrary: fc.constantFrom(low(schema), high(schema)) },
      );
    case 'number':
      return fc.double({ min: schema.minimum ?? -1e9, max: schema.maximum ?? 1e9, noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(fromSchema(schema.items ?? {}, words, name), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 4, 4),
      });
    case 'object':
      return objects(schema, words);
    default:
      return fc.jsonValue({ maxDepth: 3 });
  }
}

const low = ({ minimum, exclusiveMinimum }: Schema) => minimum ?? exclusiveMinimum ?? 0;
const high = ({ maximum }: Schema) => maximum ?? Number.MAX_SAFE_INTEGER;

function objects(schema: Schema, words: Words): fc.Arbitrary<unknown> {
  const { properties = {}, required = [], additionalProperties } = schema;
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, of]) => [name, fromSchema(of, words, name)]),
  );
  const made = fc.record(fields, { requiredKeys: required });
  if (additionalProperties === undefined || additionalProperties === false) return made;
  const others = typeof additionalProperties === 'object' ? additionalProperties : {};
  const more = fc.dictionary(fc.string({ maxLength: 12 }), fromSchema(others, words), { maxKeys: 4 });
  return fc.tuple(more, made).map(([extra, own]) => ({ ...extra, ...(own as object) }));
}

function strings(
  { format, pattern, minLength = 0, maxLength = 60 }: Schema,
  known: readonly string[],
): fc.Arbitrary<string> {
  const plain = fc.string({
    unit: 'grapheme',
    minLength: Math.min(minLength, 200),
    maxLength: Math.min(maxLength, 60),
  });
  const made =
    format === 'date-time'
      ? fc
          .integer({ min: -300 * 365 * DAY, max: 300 * 365 * DAY })
          .map((ms) => new Date(Date.UTC(2026, 0) + ms).toISOString())
      : format === 'email'
        ? fc.integer({ min: 0, max: 1e9 }).map((n) => `fuzz-${n}@example.org`)
        : format === 'uri'
          ? fc.constantFrom(...uris)
          : pattern !== undefined && pattern.length < 60
            ? fc.stringMatching(new RegExp(pattern))
            : plain;
  return known.length === 0
    ? made
    : fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...known) }, { weight: 1, arbitrary: made });
}

/** Addresses of this machine, where nobody listens, and of none: a fuzz calls nobody else. */
const uris = [
  'http://127.0.0.1:1/',
  'http://[::1]:1/',
  'https://127.0.0.1:1/x?y=z#w',
  'http://localhost:1/',
  'http://nobody.invalid/',
  'http://0.0.0.0:1/',
  'http://127.1:1/',
  'http://2130706433:1/',
  'ftp://127.0.0.1/',
  'http://user:password@127.0.0.1:1/',
  'javascript:alert(1)',
  'http://127.0.0.1:99999/',
  'http://',
];
