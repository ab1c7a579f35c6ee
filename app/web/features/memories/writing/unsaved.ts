import { createStore } from '../../../platform/store.ts';

/** Whether the browser has room to keep what is written and not saved yet. */
export const hasRoom = createStore(true);

/** What saves that which is being written at the moment. */
export const savers = new Set<() => Promise<void>>();

/** Saves all that is being written; settled when that is done, or has failed. */
export async function saveAllNow(): Promise<void> {
  await Promise.all([...savers].map((save) => save()));
}
