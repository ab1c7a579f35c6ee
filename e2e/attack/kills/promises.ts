/** What may stand in one memory: what was answered last, or what was tried since and not answered. */
interface Known {
  acknowledged: string | null;
  tried: (string | null)[];
  /** Every secret word that was ever written under it. */
  words: string[];
}

/** What one namespace was promised, by the answers of its only writer. */
export interface Promised {
  readonly namespace: string;
  /** Notes that values are being written (null: deleted); the function that comes of it is called once this was answered. */
  asks(values: ReadonlyMap<string, { value: string | null; word?: string }>): () => void;
  /** Keys that surely stand. */
  standing(): string[];
  keys(): string[];
  /** What is missing or wrong in what the namespace says, in words. From now on that is what stands. */
  check(says: ReadonlyMap<string, string>): string[];
  /** Secret words whose deletion was answered. */
  readonly forgotten: ReadonlySet<string>;
}

export function createPromised(namespace: string): Promised {
  const memories = new Map<string, Known>();
  const forgotten = new Set<string>();

  function settle(key: string, value: string | null): void {
    const known = memories.get(key);
    if (!known) return;
    if (value !== null) return void Object.assign(known, { acknowledged: value, tried: [] });
    for (const word of known.words) forgotten.add(word);
    memories.delete(key);
  }

  return {
    namespace,
    forgotten,
    asks(values) {
      for (const [key, { value, word }] of values) {
        const known = memories.get(key) ?? { acknowledged: null, tried: [], words: [] };
        known.tried.push(value);
        if (word !== undefined) known.words.push(word);
        memories.set(key, known);
      }
      return () => {
        for (const [key, { value }] of values) settle(key, value);
      };
    },
    standing: () =>
      [...memories]
        .filter(([, { acknowledged, tried }]) => acknowledged !== null && tried.length === 0)
        .map(([key]) => key),
    keys: () => [...memories.keys()],
    check(says) {
      const wrong: string[] = [];
      for (const [key, { acknowledged, tried, words }] of [...memories]) {
        const now = says.get(key) ?? null;
        const isPromised = acknowledged === now || tried.includes(now);
        if (!isPromised)
          wrong.push(
            `${namespace}/${key} says ${shown(now)}; answered was ${shown(acknowledged)}, tried ${tried.map(shown).join(', ') || 'nothing'}`,
          );
        if (now !== null) Object.assign(memories.get(key) ?? {}, { acknowledged: now, tried: [], words });
        // Deleted, but nobody said so: what it said is not looked for.
        else memories.delete(key);
      }
      for (const key of says.keys())
        if (!memories.has(key))
          wrong.push(`${namespace}/${key} stands there, which was deleted or never written`);
      return wrong;
    },
  };
}

const shown = (value: string | null) => (value === null ? 'nothing' : JSON.stringify(value.slice(0, 40)));
