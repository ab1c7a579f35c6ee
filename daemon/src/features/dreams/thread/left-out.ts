/** Sentences that are shown of a strategy, at most. */
const MOST = 5;

/** What a strategy leaves and why, in its sentences. */
export interface LeftOut {
  say(what: string): void;
  /** The sentences, and after them what a model did; undefined where there are neither. */
  with(note: string | undefined): string | undefined;
}

export function createLeftOut(): LeftOut {
  const said = new Set<string>();
  return {
    say: (what) => {
      if (said.size < MOST) said.add(what);
    },
    with: (note) => {
      const all = [...said, ...(note === undefined ? [] : [note])];
      return all.length === 0 ? undefined : all.join('; ');
    },
  };
}
