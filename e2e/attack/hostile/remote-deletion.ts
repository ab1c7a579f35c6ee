import { listConflicts } from '@reverie/shared/contract/sync/conflicts';
import { pairDevice } from '@reverie/shared/contract/sync/devices';
import {
  clearNamespace,
  deleteMemory,
  getMemory,
  listMemories,
  setMemory,
} from '@reverie/shared/contract/memories/memories';
import { linkDevice, pauseSync, syncStatus, triggerSync } from '@reverie/shared/contract/sync/sync';
import { type AttackedDaemon, eventually } from '../grounds.ts';
import { secretWord } from '../planted.ts';
import { BETWEEN, tablesWith } from '../tables.ts';
import { type Row, textWith } from './row.ts';

/** The event shows for a minute, and what stands between rows says nothing of a table. */
const isLasting = (table: string) => table !== 'events' && table !== BETWEEN;

/** A version that lost a conflict goes with its memory, wherever that is deleted or cleared. */
export const remoteDeletion: Row = {
  name: 'row 2: a conflict deleted elsewhere',
  async run({ section, grounds, random }) {
    const relay = await grounds.relay('relay-conflict');
    const one = await grounds.daemon('conflict-1');
    const two = await grounds.daemon('conflict-2');
    await one.call(linkDevice, { body: { relay: relay.origin, email: 'me@example.org', name: 'one' } });
    const { code } = await one.call(pairDevice, {});
    await two.call(linkDevice, { body: { relay: relay.origin, code, name: 'two' } });
    const ways: [string, (key: string, namespace: string) => Promise<unknown>][] = [
      ['deletion', (key, namespace) => one.call(deleteMemory, { body: { key, namespace } })],
      ['clear', (_, namespace) => one.call(clearNamespace, { body: { namespace } })],
    ];
    for (const [what, forget] of ways) {
      const namespace = `by-${what}`;
      const word = secretWord(random);
      await one.call(setMemory, { body: { key: 'k', namespace, value: 'before' } });
      await arrived(two, namespace, 'before');
      await two.call(pauseSync, { body: { paused: true } });
      await two.call(setMemory, { body: { key: 'k', namespace, value: textWith(word) } });
      await one.call(setMemory, { body: { key: 'k', namespace, value: 'written later' } });
      await two.call(pauseSync, { body: { paused: false } });
      await arrived(two, namespace, 'written later');
      const lost = await eventually(async () => ((await readable(two, word)) ? true : undefined), {
        withinMs: 10_000,
      });
      if (!lost) {
        section.found('wrong', `there was no conflict to be forgotten by a ${what}`);
        continue;
      }
      await forget('k', namespace);
      await eventually(
        async () => ((await two.call(listMemories, { body: { namespace } })).total === 0 ? true : undefined),
        { withinMs: 20_000 },
      );
      section.did('conflicts');
      if (await readable(two, word))
        section.found('readable', `the version that lost is in /sync/conflicts after a ${what} elsewhere`);
      // Documents are written anew in the background; the event shows for a minute.
      let tables: string[] = [];
      await eventually(
        () => {
          tables = [...tablesWith(two.home.database, new Set([word])).keys()].filter(isLasting);
          return tables.length === 0 ? true : undefined;
        },
        { withinMs: 30_000, everyMs: 500 },
      );
      for (const table of tables)
        section.found('readable', `the version that lost stands in ${table} 30 s after a ${what} elsewhere`);
    }
    const { state } = await two.call(syncStatus, {});
    if (state !== 'live') section.found('lost', `the device is ${state} after it all`);
  },
};

async function readable({ call }: AttackedDaemon, word: string): Promise<boolean> {
  return JSON.stringify(await call(listConflicts, { query: {} })).includes(word);
}

async function arrived({ call }: AttackedDaemon, namespace: string, value: string): Promise<void> {
  const came = await eventually(
    async () => {
      await call(triggerSync, {});
      const memory = await call(getMemory, { body: { namespace, key: 'k' } }).catch(() => undefined);
      return memory?.value === value ? true : undefined;
    },
    { withinMs: 20_000, everyMs: 100 },
  );
  if (!came) throw new Error(`“${value}” never came to the other device`);
}
