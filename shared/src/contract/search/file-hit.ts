import { z } from 'zod';
import { Passage } from './passage.ts';

export const FileHit = z
  .object({
    namespace: z.string(),
    keys: z.array(z.string()).min(1).readonly().describe('The memories that name it; ten at most'),
    path: z.string().describe('Of the file, as `attachments` has it'),
    hash: z.string().describe('By it `attachments_get` answers the file'),
    page: z.int().min(1).describe('The first page of a PDF is 1'),
    passage: Passage.describe(
      'What of the page fits: of no `value`, so that its places count from where it begins',
    ),
    score: z.number().min(0).max(1),
  })
  .meta({ id: 'FileHit' });
export type FileHit = z.infer<typeof FileHit>;
