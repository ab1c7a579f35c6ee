import { type Author, authorOwns } from '../author.ts';
import type { Actor } from './events.ts';
import type { MemoryAct, What } from './what-happened.ts';

/** Words, and between them what memories, channels and kinds of proposal are called. */
export type SentenceParts = readonly (string | { name: string })[];

/** The sentence as plain text. */
export function plainWords(sentence: SentenceParts): string {
  return sentence.map((part) => (typeof part === 'string' ? part : part.name)).join('');
}

/** Verbs, and what stands behind what they are done to. */
export const MEMORY_VERBS: Readonly<Record<MemoryAct, readonly [verb: string, behind?: string]>> = {
  wrote: ['wrote'],
  changed: ['changed'],
  renamed: ['renamed'],
  moved: ['moved'],
  merged: ['merged'],
  archived: ['archived'],
  'set aside': ['set', ' aside'],
  showed: ['showed', ' again'],
  'took back': ['took', ' out of the trash'],
  trashed: ['moved', ' to the trash'],
  lost: ['overwrote'],
  deleted: ['deleted', ' for good'],
};
/** What stands between a memory and the key or namespace that it went to. */
const INTO: Readonly<Partial<Record<MemoryAct, string>>> = {
  renamed: ' to ',
  moved: ' to ',
  merged: ' into ',
  'set aside': ' aside for ',
};

/** What a memory is called whose words were taken out of the log. */
export const namelessMemory = (act: MemoryAct): string =>
  act === 'deleted' ? 'a memory' : 'a memory that was deleted since';

/** What was done to one memory; `who` did it, and `author` where it was done on another device. */
export function memoryLine(
  who: string,
  { memory, actor, author }: { memory: string | { name: string }; actor: Actor; author?: Author | undefined },
  { act, into, loser }: Extract<What, { kind: 'memory' }>,
): SentenceParts {
  const [verb, behind = ''] = MEMORY_VERBS[act];
  const to = INTO[act];
  if (act === 'lost')
    return loser && author
      ? [
          'Two versions of ',
          memory,
          `: ${authorOwns(author)} stands, ${authorOwns(loser)} is kept in conflicts`,
        ]
      : ['A version of ', memory, ' gave way to a later one'];
  if (act === 'deleted' && actor.id === 'expiry') return [`${who} deleted `, memory, ', which had expired'];
  if (into !== undefined && to !== undefined) return [`${who} ${verb} `, memory, to, { name: into }];
  return [`${who} ${verb} `, memory, behind];
}
