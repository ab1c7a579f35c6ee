import { pairDevice } from '@reverie/shared/contract/sync/devices';
import { memoryHistory } from '@reverie/shared/contract/memories/history';
import { deleteMemory, getMemory, setMemory } from '@reverie/shared/contract/memories/memories';
import { linkDevice, pauseSync, triggerSync } from '@reverie/shared/contract/sync/sync';
import { type AttackedDaemon, eventually } from '../grounds.ts';
import { secretWord, wordsIn } from '../planted.ts';
import { type Row, textWith } from './row.ts';

const KEYS = 10;
const LAST = String(KEYS - 1);

/** A key that is deleted and written again before that is synced: on the other device, too, nothing of before may be left. */
export const writtenAgain: Row = {
  name: 'row 11: deleted and written again',
  async run({ section, grounds, random }) {
    const relay = await grounds.relay('relay-again');
    const one = await grounds.daemon('again-1');
    const two = await grounds.daemon('again-2');
    await one.call(linkDevice, { body: { relay: relay.origin, email: 'me@example.org', name: 'one' } });
    const { code } = await one.call(pairDevice, {});
    await two.call(linkDevice, { body: { relay: relay.origin, code, name: 'two' } });
    const words = new Set(Array.from({ length: KEYS }, () => secretWord(random)));
    const keyed = [...words].map((word, n) => ({ key: `${n}`, word }));
    for (const { key, word } of keyed) await one.call(setMemory, { body: { key, value: textWith(word) } });
    await arrived(two, textWith(keyed.at(-1)?.word ?? ''));
    // Both changes go out together, as after a time without the relay, and come together.
    for (const device of [two, one]) await device.call(pauseSync, { body: { paused: true } });
    for (const { key } of keyed) {
      await one.call(deleteMemory, { body: { key } });
      await one.call(setMemory, { body: { key, value: 'something else' } });
    }
    await one.call(pauseSync, { body: { paused: false } });
    await eventually(async () => ((await one.call(triggerSync, {})).status === 'synced' ? true : undefined), {
      withinMs: 20_000,
    });
    await two.call(pauseSync, { body: { paused: false } });
    await arrived(two, 'something else');
    section.did('keys', KEYS);
    for (const { key } of keyed) {
      const history = await two.call(memoryHistory, { query: { key } });
      if (wordsIn(JSON.stringify(history), words).length > 0)
        section.found('readable', 'the history of the other device has the text that was deleted');
    }
  },
};

async function arrived({ call }: AttackedDaemon, value: string): Promise<void> {
  const came = await eventually(
    async () => {
      await call(triggerSync, {});
      const memory = await call(getMemory, { body: { key: LAST } }).catch(() => undefined);
      return memory?.value === value ? true : undefined;
    },
    { withinMs: 30_000, everyMs: 100 },
  );
  if (!came) throw new Error(`“${value.slice(0, 40)}” never came to the other device`);
}
