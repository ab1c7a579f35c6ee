/** Sentences that are shown of a strategy, at most. */
const MOST = 5;

/** What a strategy left undone and why, in sentences for people. */
export interface LeftOut {
  say(what: string, pairs?: number): void;
  /** The pairs that it leaves to a model. */
  pairs(): number;
  /** The sentences, and after them what a model did; undefined where there are neither. */
  with(note: string | undefined): string | undefined;
}

export function createLeftOut(): LeftOut {
  const said = new Map<string, number>();
  return {
    say: (what, pairs = 0) => {
      if (said.size < MOST) said.set(what, pairs);
    },
    pairs: () => [...said.values()].reduce((sum, pairs) => sum + pairs, 0),
    with: (note) => {
      const all = [...said.keys(), ...(note === undefined ? [] : [note])];
      return all.length === 0 ? undefined : all.join('; ');
    },
  };
}
