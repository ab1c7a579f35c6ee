import { shortHash } from '../../json.ts';

/** Which of the two logs of a file a text stands in: that of what the model saw, or that of what was displayed. */
export type LogStream = 'model' | 'display';

/** Gives lasting names to the texts of a session that have none. */
export interface TextNames {
  /** The name of a text, and whether it is said for the first time: the other stream has not said it yet. */
  name(what: string, text: string, stream: LogStream): { item: string; first: boolean };
  /** A prompt begins a turn. */
  beginTurn(): void;
  /** Notes that an entry is of the turn that goes on. */
  add(item: string): void;
  /** The last turns are taken back: the entries of them. */
  takeBack(turns: number): string[];
}

type Counts = Record<LogStream, number>;

interface Turn {
  items: Set<string>;
  counted: { counts: Counts; stream: LogStream }[];
}

/** Turns that can still be taken back. */
const TURNS = 1_000;

/**
 * Codex gives its messages names that do not last: none in old files, a number (`item-7`) in files that `migrate-rollouts` rewrote, a
 * UUID in new ones. What lasts is what was said and how often: the second `go on` of a session is that in all three. Each text stands
 * in two logs of one file, so each log counts for itself, and who is first says it. A turn that was taken back counts for nothing,
 * since a rewritten file does not have it. Holds a hash of 16 characters for each text, no texts.
 */
export function createTextNames(): TextNames {
  const texts = new Map<string, Counts>();
  let turns: Turn[] = [{ items: new Set(), counted: [] }];

  function current(): Turn {
    const last = turns.at(-1);
    if (last) return last;
    const made: Turn = { items: new Set(), counted: [] };
    turns.push(made);
    return made;
  }

  return {
    name(what, text, stream) {
      const key = `${what}-${shortHash(text.trim())}`;
      const counts = texts.get(key) ?? { model: 0, display: 0 };
      texts.set(key, counts);
      const n = ++counts[stream];
      current().counted.push({ counts, stream });
      const other = stream === 'model' ? counts.display : counts.model;
      return { item: n === 1 ? key : `${key}-${n}`, first: other < n };
    },
    beginTurn() {
      turns.push({ items: new Set(), counted: [] });
      if (turns.length > TURNS) turns = turns.slice(-TURNS);
    },
    add: (item) => void current().items.add(item),
    takeBack(count) {
      const gone: string[] = [];
      // The first holds what was before all prompts, and is no turn.
      const from = Math.max(turns.length - count, 1);
      for (const turn of turns.splice(from)) {
        for (const { counts, stream } of turn.counted) counts[stream]--;
        gone.push(...turn.items);
      }
      return gone;
    },
  };
}
