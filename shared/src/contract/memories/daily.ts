import { z } from 'zod';
import { NamespaceOrDefault } from '../fields.ts';
import { route } from '../route.ts';

export const dailyNote = route({
  id: 'memory_daily',
  method: 'GET',
  path: '/memory/daily',
  scope: 'read',
  reach: { can: ['read'], absent: ['query.namespace'] },
  tag: 'memory',
  summary: 'The key of the note of a day, in the form that the namespace has for it',
  description:
    'By the settings of the Obsidian vault or the graph of Logseq that the namespace follows (`.obsidian/daily-notes.json`, `logseq/config.edn`), else as its newest notes that are called by their day, else `YYYY-MM-DD.md`. Nothing is stored: who adds to the note stores it with `if_updated_at`, and tries again on 409.',
  query: z.strictObject({
    day: z.iso
      .date({ error: 'must be a day, such as 2026-09-14' })
      .describe('The day of the person who asks, for it is another one elsewhere'),
    namespace: NamespaceOrDefault,
  }),
  status: 200,
  response: z.object({
    key: z.string(),
    namespace: z.string(),
    day: z.string(),
    found: z.boolean().describe('Whether there is such a note'),
    outline: z.boolean().describe('Whether each line of it is a block (`- …`), as in Logseq'),
    template: z
      .string()
      .describe(
        'What the note begins with where there is none yet: the template that the settings of the vault name, with its `{{date}}`, `{{date:FORMAT}}`, `{{time}}` and `{{title}}` filled in',
      ),
  }),
  problems: [],
});
