import { z } from 'zod';

/** Larger pictures, in units of 1/96 inch or characters, are none that a person looks at. */
const LARGEST = 32_000;
const LONGEST = 4_000_000;

/** What the frame that draws diagrams answers: a picture, or why there is none. It drew what somebody else wrote, and is not believed. */
export const DiagramReply = z.union([
  z.strictObject({
    svg: z.string().max(LONGEST),
    width: z.number().positive().max(LARGEST),
    height: z.number().positive().max(LARGEST),
  }),
  z.strictObject({ failed: z.string().max(200) }),
]);
export type DiagramReply = z.infer<typeof DiagramReply>;
