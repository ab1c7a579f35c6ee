import { z } from 'zod';

/** Characters (UTF-16 units) of a passage at most. */
export const LONGEST_PASSAGE = 300;

const place = z.int().min(0);

export const Passage = z
  .object({
    text: z.string().max(LONGEST_PASSAGE).describe('`value` from `start` to `end`, letter by letter'),
    start: place.describe('Where it begins in `value`, in UTF-16 units'),
    end: place.describe('Where it ends in `value`; `end - start` is the length of `text`'),
    marks: z
      .array(z.tuple([place, place]))
      .readonly()
      .describe(
        'Words of the query that stand in it, whole and in any inflected form, as `[start, end]` in `value` like those above (less `start` in `text`), in their order. Empty where only its meaning fits',
      ),
  })
  .meta({ id: 'Passage' });
export type Passage = z.infer<typeof Passage>;
