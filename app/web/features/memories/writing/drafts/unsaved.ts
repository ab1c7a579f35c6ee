import { createStore } from '../../../../platform/store.ts';

/** Whether the browser has room to keep what is written and not saved yet. */
export const hasRoom = createStore(true);

/** What saves that which is being written at the moment, by the `draftId` of what it is. */
export const savers = new Map<() => Promise<void>, string>();

/** Saves all that is being written, or that alone which is written of some drafts; settled when that is done, or has failed. */
export async function saveAllNow(of?: readonly string[]): Promise<void> {
  const meant = [...savers].filter(([, id]) => of?.includes(id) ?? true);
  await Promise.all(meant.map(([save]) => save()));
}
