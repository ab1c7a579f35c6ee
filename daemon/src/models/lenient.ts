import { z } from 'zod';

/** `3`, `"3"` and `"[3]"` are the number of a note to small models. */
function numberIn(given: unknown): unknown {
  return typeof given === 'string' ? Number(/\d{1,9}/u.exec(given)?.[0] ?? NaN) : given;
}

/** The number of a note, in whatever form a model writes it. */
export const NoteNumber = z.preprocess(numberIn, z.int());

/** One thing where several are asked for is a list to small models, and nothing is an empty one. */
export function lenientList<T>(item: z.ZodType<T>): z.ZodType<T[]> {
  return z.preprocess(
    (given): unknown => (given === null || given === undefined ? [] : Array.isArray(given) ? given : [given]),
    z.array(item),
  );
}
