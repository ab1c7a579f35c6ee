import { z } from 'zod';

/** The same schema, for what programs send that write `null` where they mean that nothing is said. */
export function nullsLeftOut<S extends z.ZodType>(schema: S) {
  return z.preprocess((given) => leaveOutNulls(schema, given), schema);
}

/**
 * A value without the members that are null where its schema takes no null and can do without them, at any depth of the schema. A null
 * that means something stays, and so does one in the place of what is required, for the schema to name it.
 */
export function leaveOutNulls(schema: z.core.$ZodType, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const inner = innermost(schema);
  if (inner instanceof z.ZodUnion)
    return (
      inner.options
        .map((option) => leaveOutNulls(option, value))
        .find((candidate, at) => z.safeParse(inner.options[at] ?? z.never(), candidate).success) ?? value
    );
  if (Array.isArray(value))
    return inner instanceof z.ZodArray ? value.map((item) => leaveOutNulls(inner.element, item)) : value;
  const fieldOf = fieldsOf(inner);
  if (!fieldOf) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]): [string, unknown][] => {
      const field = fieldOf(name);
      if (!field) return [[name, member]];
      if (member === null) return isLeftOut(field) ? [] : [[name, member]];
      return [[name, leaveOutNulls(field, member)]];
    }),
  );
}

/** Whether null in the place of a field says no more than leaving it out. */
function isLeftOut(field: z.core.$ZodType): boolean {
  return !z.safeParse(field, null).success && z.safeParse(field, undefined).success;
}

/** The schemas of an object's members by name; undefined for what is no object. */
function fieldsOf(schema: z.core.$ZodType): ((name: string) => z.core.$ZodType | undefined) | undefined {
  if (schema instanceof z.ZodRecord) return () => schema.valueType;
  if (!(schema instanceof z.ZodObject)) return undefined;
  const shape = schema.shape as Readonly<Record<string, z.core.$ZodType>>;
  return (name) => (Object.hasOwn(shape, name) ? shape[name] : undefined);
}

/** What is wrapped: by `optional`, `nullable`, `default` and the like, or before what it is made into. */
function innermost(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodPipe)
    return innermost(schema.in instanceof z.ZodTransform ? schema.out : schema.in);
  return 'innerType' in schema._zod.def ? innermost(schema._zod.def.innerType as z.core.$ZodType) : schema;
}
