import { z } from 'zod';
import { Key, NamespaceOrDefault } from '../fields.ts';
import { Passage } from '../search/passage.ts';
import { route } from '../route.ts';

export const LinkOut = z
  .object({
    to: z.string().describe('Key of the note to which it leads; where there is none, what the link names'),
    link: z
      .string()
      .describe('What the link names, as written, decoded: `name`, `name#heading`, `../a b.md`'),
    text: z.string().describe('What is shown in its place'),
    found: z.boolean().describe('Whether there is such a note'),
    block: z
      .string()
      .optional()
      .describe(
        'What the block says, of `((id))`: without what stands below it, 1,000 characters at most; empty beyond the blocks of 100 notes',
      ),
  })
  .meta({ id: 'LinkOut' });
export type LinkOut = z.infer<typeof LinkOut>;

export const LinkIn = z
  .object({
    from: z.string().describe('Key of the note'),
    passage: Passage.describe('The line where it stands, with that place marked'),
  })
  .meta({ id: 'LinkIn' });
export type LinkIn = z.infer<typeof LinkIn>;

export const memoryLinks = route({
  id: 'memory_links',
  method: 'GET',
  weight: 'heavy',
  path: '/memory/links',
  scope: 'read',
  reach: { can: ['read'], absent: ['query.namespace'] },
  tag: 'memory',
  summary: 'What a memory links to, what links to it, and what only says its name',
  description:
    '`[[name]]`, `[[name|text]]`, `[[name#heading]]`, `![[name]]`, `[text](path.md)` and reference links, of text and front matter, lead to memories of the same namespace as in Obsidian: by key, by the path from the note, by the end of its path (the nearest of several), then by alias and by title; `((id))` of Logseq leads to the note with that block, and is left out where there is none. Case and `.md` make no difference. A link to what is not there yet is found once it comes. Of a text longer than 128 Ki characters the first so many are read. Links within a note, into the web and to attachments that are no memories are left out.',
  query: z.strictObject({ key: Key, namespace: NamespaceOrDefault }),
  status: 200,
  response: z.object({
    key: z.string(),
    namespace: z.string(),
    out: z.array(LinkOut).describe('In the order of the text, each once; at most 1,000'),
    in: z.array(LinkIn).describe('Each note once, the newest first; at most 200'),
    unlinked: z
      .array(LinkIn)
      .describe(
        'Notes that say its title, an alias or its name in plain words, and do not link to it; at most 20',
      ),
  }),
  problems: ['memory_not_found'],
});
