import { call, connect, type Linked, openRoom, signUp } from '../../../cloud/src/testing/device.ts';
import * as Y from 'yjs';
import { type AttackedRelay, eventually } from '../grounds.ts';
import { secretWord, wordsBelow } from '../planted.ts';
import { type Row, textWith } from './row.ts';

/** A room or an account that was deleted leaves nothing in the relay's files, while the relay runs on. */
export const deletedRoom: Row = {
  name: "row 5: a deleted room in the relay's log",
  waits: true,
  async run({ section, grounds, random }) {
    const relay = await grounds.relay('relay-room');
    const ways: [string, (by: Linked, room: string) => Promise<unknown>][] = [
      ['room', (by, room) => call(relay.origin, { method: 'DELETE', path: `/rooms/${room}`, key: by.key })],
      ['account', (by) => call(relay.origin, { method: 'DELETE', path: '/account', key: by.key })],
    ];
    for (const [what, remove] of ways) {
      const word = secretWord(random);
      const by = await signUp(relay.origin, `${what}@example.org`);
      const room = await openRoom(relay.origin, by, 'the room');
      await say(relay, by, { room, text: textWith(word, 2000) });
      if (wordsBelow(relay.home, new Set([word])).length === 0)
        section.found('wrong', 'nothing was written into the room');
      await remove(by, room);
      section.did(`${what}s deleted`);
      const isGone = await eventually(
        () => (wordsBelow(relay.home, new Set([word])).length === 0 ? true : undefined),
        { withinMs: 75_000, everyMs: 500 },
      );
      const files = new Set(wordsBelow(relay.home, new Set([word])).map(({ file }) => file));
      if (!isGone)
        section.found('readable', `a deleted ${what} stands in ${[...files].join(', ')} after 75 s`);
    }
  },
};

async function say(
  relay: AttackedRelay,
  by: Linked,
  { room, text }: { room: string; text: string },
): Promise<void> {
  const device = await connect(relay.origin, by);
  await device.next('welcome');
  const doc = new Y.Doc();
  doc.getMap('m').set('k', text);
  const body = Y.encodeStateAsUpdate(doc);
  device.send({
    type: 'append',
    room,
    epoch: 0,
    incarnation: 'inc',
    entries: [{ kind: 'update', n: 1, at: Date.now(), bucket: 1, enc: false, body }],
  });
  await device.next('ack');
  device.close();
}
