import type { Received } from '@reverie/shared/contract/route';
import type { status } from '@reverie/shared/contract/system/system';
import { countOf } from '../../platform/format.ts';
import type { Tone } from '../../ui/Badge.tsx';

export type SystemStatus = Received<typeof status>;

interface Doing {
  tone: Tone;
  word: string;
  sentence: string;
}

/** How Reverie is doing, as one says it to a person: what is wrong first, and what that means meanwhile. */
export function doingOf({ memories, namespaces, embedder, storage, language_model }: SystemStatus): Doing[] {
  const wrong: Doing[] = [];
  if (storage.state === 'full')
    wrong.push({
      tone: 'bad',
      word: 'disk full',
      sentence: 'What is stored can be read; nothing new is kept until there is room on the disk.',
    });
  if (embedder.state === 'down')
    wrong.push({
      tone: 'warn',
      word: 'search',
      sentence: 'What compares meanings does not answer, so that search goes by words alone for now.',
    });
  if (embedder.state === 'catching_up')
    wrong.push({
      tone: 'accent',
      word: 'catching up',
      sentence: 'What was written last is found by its words already, and by its meaning soon.',
    });
  if (language_model?.state === 'down')
    wrong.push({
      tone: 'warn',
      word: 'answers',
      sentence: 'The model does not answer, so that answers are quoted from your memories for now.',
    });
  const kept = `${countOf(memories, 'memory is', 'memories are')} kept in ${countOf(namespaces, 'namespace', 'namespaces')}`;
  if (wrong.length > 0) return wrong;
  if (memories === 0)
    return [{ tone: 'good', word: 'well', sentence: 'Everything works, and nothing is kept yet.' }];
  return [{ tone: 'good', word: 'well', sentence: `Everything works: ${kept}, and all of it is found.` }];
}
