/** The entries of each record of a log, in the order of the records, for an agent that takes back all from one record on. */
interface ReadItems {
  has(record: string): boolean;
  /** Adds the items that a record came to; of one that is written again, those that are new. */
  add(record: string, items: readonly string[]): void;
  /** Forgets a record and all behind it, and answers their items; of one that is not known, none. */
  dropFrom(record: string): string[];
  /** The same for all behind a record; of all that there is for null. */
  dropBehind(record: string | null): string[];
}

/** Remembers the items of at most so many records: what is further back is not taken back any more. */
export function createReadItems(most: number): ReadItems {
  const held = new Map<string, Set<string>>();
  function drop(records: readonly string[]): string[] {
    const dropped = records.flatMap((record) => [...(held.get(record) ?? [])]);
    for (const record of records) held.delete(record);
    return dropped;
  }
  const from = (record: string): string[] =>
    held.has(record) ? [...held.keys()].slice([...held.keys()].indexOf(record)) : [];
  return {
    has: (record) => held.has(record),
    add(record, items) {
      held.set(record, new Set([...(held.get(record) ?? []), ...items]));
      if (held.size <= most) return;
      const oldest = held.keys().next();
      if (!oldest.done) held.delete(oldest.value);
    },
    dropFrom: (record) => drop(from(record)),
    dropBehind: (record) => drop(record === null ? [...held.keys()] : from(record).slice(1)),
  };
}
