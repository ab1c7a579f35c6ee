import type { AccountId } from '@reverie/shared/accounts/caller';
import type { Store } from '../../../db/open-store.ts';
import type { Clock } from '../../../platform/clock.ts';
import { newUlid } from '../../../platform/ids.ts';
import type { Sheets } from '../deps.ts';
import { lookThrough } from '../thread/thread.ts';
import { readingRules, sheetText } from './question.ts';
import { closeSheet, openSheet, type OpenedSheet } from './reader.ts';
import { AGENT_ROOM, allKinds, bitsOf } from './sizes.ts';

interface HandedOut {
  readonly account: AccountId;
  readonly namespace: string;
  readonly sheet: OpenedSheet;
}

/** Sheets that are remembered until they were read; the oldest are forgotten. */
const MOST_OUT = 50;
/** Characters of a key: an agent names notes by it. */
const WHOLE_KEY = 1_024;

/** Hands an agent sheet after sheet of what nobody has read yet. */
export function createAgentSheets({
  store,
  clock,
  thread,
}: {
  store: Store;
  clock: Pick<Clock, 'now'>;
  thread: { readonly database: string; readonly embedder: string };
}): Sheets {
  const out = new Map<string, HandedOut>();
  return {
    async next(account, namespace) {
      const now = clock.now();
      const reading = {
        first: bitsOf(allKinds, 'first'),
        second: bitsOf(allKinds, 'second'),
        room: AGENT_ROOM,
      };
      const { database, embedder } = thread;
      const planned = await lookThrough(
        { database, embedder, account, namespace, strategies: [], now, reading },
        () => undefined,
        new AbortController().signal,
      );
      const [first, ...rest] = planned.sheets;
      if (!first) return null;
      const sheet = await openSheet(store, { account, namespace }, { ...first, kinds: allKinds, now });
      if (sheet.notes.length === 0) return null;
      const id = `sheet_${newUlid(now)}`;
      const [oldest] = out.keys();
      if (out.size >= MOST_OUT && oldest !== undefined) out.delete(oldest);
      out.set(id, { account, namespace, sheet });
      const task = `${readingRules(sheet, 'evidence')} Name each note by its key.`;
      return { id, task, text: sheetText(sheet, WHOLE_KEY), left: rest.length };
    },
    read(account, namespace, id) {
      const one = out.get(id);
      if (!one || one.account !== account || one.namespace !== namespace) return;
      store.write((db) => closeSheet(db, one, one.sheet));
      out.delete(id);
    },
  };
}
