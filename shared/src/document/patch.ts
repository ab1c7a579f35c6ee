import type { Hlc } from './clock.ts';

/**
 * What one document says and another one does not, slot by slot. It belongs to no epoch: it can be said again in
 * a document that was begun anew.
 */
export interface Patch {
  /** Everything that the document holds is to be said again, besides what follows. */
  whole?: true;
  /** Slots with their text. */
  add: readonly (readonly [slot: string, text: string])[];
  /** Slots that were seen, with the stamp that they had then: another text in them was not seen, and stays. */
  remove: readonly (readonly [slot: string, hlc: Hlc])[];
}

/** The stamp in the text of a slot, whatever else stands in it; undefined where there is none. */
export function hlcOfText(text: string): Hlc | undefined {
  try {
    const parts: unknown = JSON.parse(text);
    const first: unknown = Array.isArray(parts) ? parts[0] : undefined;
    return typeof first === 'number' ? first : undefined;
  } catch {
    return undefined;
  }
}

/** A document, as far as the text of its slots goes. */
export interface Slots {
  slots(): Iterable<readonly [slot: string, text: string]>;
}

/** What has to be done to `before`, so that it says what `after` says. */
export function patchBetween(before: Slots, after: Slots): Patch {
  const was = new Map(before.slots());
  const is = new Map(after.slots());
  const add = [...is].filter(([slot, text]) => was.get(slot) !== text);
  const remove = [...was].flatMap(([slot, text]): [string, Hlc][] => {
    const hlc = is.get(slot) === text ? undefined : hlcOfText(text);
    return hlc === undefined ? [] : [[slot, hlc]];
  });
  return { add, remove };
}

/** One patch that does what these do, one after the other. */
export function joinPatches(patches: readonly Patch[]): Patch {
  const add = new Map<string, string>();
  const remove = new Map<string, [slot: string, hlc: Hlc]>();
  for (const patch of patches) {
    for (const [slot, hlc] of patch.remove) {
      add.delete(slot);
      // Also of what a patch before it said: that may have been told all the same, whatever the slot said in between.
      remove.set(`${slot}\0${hlc}`, [slot, hlc]);
    }
    for (const [slot, text] of patch.add) add.set(slot, text);
  }
  return {
    ...(patches.some(({ whole }) => whole) && { whole: true }),
    add: [...add],
    remove: [...remove.values()],
  };
}

/** The patch without what a clear covers. */
export function aliveIn(patch: Patch, clearedBefore: Hlc): Patch {
  return { ...patch, add: patch.add.filter(([, text]) => (hlcOfText(text) ?? Infinity) > clearedBefore) };
}
