import { z } from 'zod';

type Schema = Record<string, unknown>;

/** Keywords that are told as they are; any other says how a value is checked, which is done here when it is there. */
const KEPT = ['type', 'enum', 'const', 'description'] as const;

/**
 * A JSON schema of what a schema accepts, in the strict form of OpenAI's structured outputs
 * (https://platform.openai.com/docs/guides/structured-outputs): each object with all of its fields and no other. Undefined where it
 * cannot be said so: a field that may be missing, a value of any kind.
 */
export function strictSchema(schema: z.ZodType): object | undefined {
  const json = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' });
  return json.type === 'object' ? strict(json) : undefined;
}

function strict(schema: Schema): Schema | undefined {
  const kept = Object.fromEntries(KEPT.filter((name) => name in schema).map((name) => [name, schema[name]]));
  const options = (schema['anyOf'] ?? schema['oneOf']) as Schema[] | undefined;
  if (options) {
    const all = everyStrict(options);
    return all && { ...kept, anyOf: all };
  }
  if (schema['type'] === 'object') return strictObject(schema, kept);
  if (schema['type'] === 'array') {
    const items = strict((schema['items'] ?? {}) as Schema);
    return items && { ...kept, items };
  }
  return 'type' in kept || 'enum' in kept || 'const' in kept ? kept : undefined;
}

function strictObject(schema: Schema, kept: Schema): Schema | undefined {
  const properties = (schema['properties'] ?? {}) as Record<string, Schema>;
  const names = Object.keys(properties);
  const required = new Set((schema['required'] ?? []) as string[]);
  const values = everyStrict(Object.values(properties));
  if (!values || names.length === 0 || names.some((name) => !required.has(name))) return undefined;
  return {
    ...kept,
    properties: Object.fromEntries(names.map((name, at) => [name, values[at]])),
    required: names,
    additionalProperties: false,
  };
}

function everyStrict(schemas: readonly Schema[]): Schema[] | undefined {
  const all = schemas.map(strict).filter((one) => one !== undefined);
  return all.length === schemas.length ? all : undefined;
}
