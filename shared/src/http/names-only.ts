import { z } from 'zod';
import { nameInAddress, PersonAddress } from '../contract/author.ts';

/** Answers a reply in which each e-mail address of a person is their name only. */
export type NamesOnly = (reply: unknown) => unknown;

/** Finds where a schema has addresses of people; undefined where it has none, so that its replies cost nothing. */
export function namesOnlyIn(schema: z.core.$ZodType): NamesOnly | undefined {
  if (schema === PersonAddress) return (value) => (typeof value === 'string' ? nameInAddress(value) : value);
  if (schema instanceof z.ZodObject) return inObject(schema);
  if (schema instanceof z.ZodArray) {
    const inItem = namesOnlyIn(schema.element);
    return inItem && ((value) => (Array.isArray(value) ? value.map((item) => inItem(item)) : value));
  }
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return namesOnlyIn(schema.unwrap());
  // What one of the forms has no address in passes it unchanged.
  if (schema instanceof z.ZodUnion) {
    const all = schema.options.map((option) => namesOnlyIn(option)).filter((one) => one !== undefined);
    return all.length === 0 ? undefined : (value) => all.reduce((reply, one) => one(reply), value);
  }
  return undefined;
}

function inObject(schema: z.ZodObject): NamesOnly | undefined {
  const fields = Object.entries<z.core.$ZodType>(schema.shape).flatMap(([name, field]) => {
    const inField = namesOnlyIn(field);
    return inField ? [[name, inField] as const] : [];
  });
  if (fields.length === 0) return undefined;
  return (value) => {
    if (typeof value !== 'object' || value === null) return value;
    const reply: Record<string, unknown> = { ...value };
    for (const [name, inField] of fields) if (name in reply) reply[name] = inField(reply[name]);
    return reply;
  };
}
