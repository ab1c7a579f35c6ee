import { type Mention, mentionsOf } from './mentions.ts';
import type { ReadNamespace } from '../notes/reading.ts';
import { type KnownNames, knownNames } from '../notes/known-names.ts';

/** How far the reading is, and whether somebody wants it to end. */
export interface ReadingWatch {
  readonly isStopped: () => boolean;
  readonly step: (done: number) => void;
}

/** The mentions of one thing; `memories` also counts those that name it in their key only. */
export interface MentionedThing {
  readonly mentions: Mention[];
  memories: number;
}

const MOST = 7;
const read = new WeakMap<ReadNamespace, Map<string, MentionedThing>>();

/** The things that the memories of a namespace mention, by the thing's id; kept, so that a second call for the same reading is free. */
export function mentionedThings(
  reading: ReadNamespace,
  watch: ReadingWatch,
): ReadonlyMap<string, MentionedThing> {
  const before = read.get(reading);
  if (before) return before;
  const things = readThings(reading, watch);
  if (!watch.isStopped()) read.set(reading, things);
  return things;
}

function readThings(reading: ReadNamespace, { isStopped, step }: ReadingWatch): Map<string, MentionedThing> {
  const known = knownNames();
  const things = new Map<string, MentionedThing>();
  const count = (id: string): MentionedThing => {
    const thing = things.get(id) ?? { mentions: [], memories: 0 };
    things.set(id, thing);
    thing.memories += 1;
    return thing;
  };
  for (const [at, memory] of reading.memories.entries()) {
    if (at % 200 === 0) {
      if (isStopped()) break;
      step(at);
    }
    const mentions = mentionsOf(memory, known);
    const ids = new Set(mentions.map(({ id }) => id));
    for (const mention of mentions) {
      const thing = count(mention.id);
      // Whether seven memories mention it or seventy makes no difference.
      if (thing.mentions.length < MOST) thing.mentions.push(mention);
    }
    for (const id of wordsOfKey(memory.memory.key, known)) if (!ids.has(id)) count(id);
  }
  return things;
}

function wordsOfKey(key: string, known: KnownNames): Set<string> {
  const words = key.match(/\p{L}{3,}/gu) ?? [];
  return new Set(words.map((word) => known.idOf(word.toLowerCase())));
}
