import { z } from 'zod';

const Schema = z.looseObject({
  type: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
});

/** The smallest value that keeps to a JSON schema: what a model says that says nothing, in the right form. */
export function leastOf(given: unknown): unknown {
  const { type, enum: values, properties = {} } = Schema.parse(given ?? {});
  if (values) return values[0];
  if (type === 'array') return [];
  if (type === 'boolean') return false;
  if (type === 'string') return '';
  if (type === 'number' || type === 'integer') return 0;
  return Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, leastOf(field)]));
}
