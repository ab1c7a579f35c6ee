import { OF_VALUES } from './classes.ts';
import { statedIn } from './statements.ts';
import type { Reading } from '../reading.ts';

/** What an attribute is worth between two memories: less where many others state it, too. */
export type Worth = (attribute: string) => number;

/** Memories by what they state: an attribute, or a state that a change ends. */
export interface Stating {
  readonly by: ReadonlyMap<string, readonly { readonly id: number; readonly strength: number }[]>;
}

const MOST_SENTENCES = 6;
/** A member of a class says as much as a phrase of two words. */
export const CLASS = 0.55;

/** Who states what in a namespace, and how much it says that two memories state the same. */
export function statingOf(reading: Reading): { stating: Stating; worth: Worth } {
  const by = new Map<string, { id: number; strength: number }[]>();
  for (const { memory, sentences } of reading.memories) {
    const here = new Map<string, number>();
    for (const sentence of sentences.slice(0, MOST_SENTENCES)) {
      const { statements, turns, members } = statedIn(sentence);
      for (const { attribute, strength } of statements)
        here.set(attribute.a, Math.max(strength, here.get(attribute.a) ?? 0));
      for (const { of } of members)
        if (of.isExclusive && !OF_VALUES.has(of.name)) here.set(`class ${of.name}`, CLASS);
      for (const { change, strength } of turns) {
        const name = `change ${change.a}`;
        here.set(name, Math.max(strength, here.get(name) ?? 0));
      }
    }
    for (const [name, strength] of here) {
      const list = by.get(name);
      if (list) list.push({ id: memory.id, strength });
      else by.set(name, [{ id: memory.id, strength }]);
    }
  }
  return {
    stating: { by },
    // Where only two state it, it is of one and the same; of the twentieth nobody knows.
    worth: (attribute) => Math.min(1, 1.6 / Math.log2(2 + (by.get(attribute)?.length ?? 0))),
  };
}
