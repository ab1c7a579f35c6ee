import { z } from 'zod';

/** `3`, `"3"` and `"[3]"` are the number of a note to small models. */
function numberIn(given: unknown): unknown {
  return typeof given === 'string' ? Number(/\d{1,9}/u.exec(given)?.[0] ?? NaN) : given;
}

/** The number of a note, in whatever form a model writes it. */
export const NoteNumber = z.preprocess(numberIn, z.int());

/** A list as small models write it: one item without brackets is a list of one, and null or nothing is an empty list. */
export function lenientList<T>(item: z.ZodType<T>): z.ZodType<T[]> {
  return z.preprocess(
    (given): unknown => (given === null || given === undefined ? [] : Array.isArray(given) ? given : [given]),
    z.array(item),
  );
}
