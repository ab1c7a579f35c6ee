import { createKey, revokeKey } from '@reverie/shared/contract/accounts/keys';
import * as sessions from '@reverie/shared/contract/sessions/sessions';
import * as sharing from '@reverie/shared/contract/sessions/session-sharing';
import { linkDevice } from '@reverie/shared/contract/sync/sync';
import * as Y from 'yjs';
import { WebSocket } from 'ws';
import { signUp } from '../../../cloud/src/testing/device.ts';
import { eventually } from '../grounds.ts';
import { secretWord, wordsIn } from '../planted.ts';
import { oddFrames, sendFrames } from './frames.ts';
import { during, isWell, type Surface, startLoaded } from './surface.ts';

const SUBPROTOCOL = 'reverie.v1';

/** The shared notes of a session, through the daemon and at the relay: garbage and cut frames, and keys that are revoked, narrower, or of others. */
export const notes: Surface = {
  name: 'notes (/y)',
  async run(scene) {
    const { section, grounds, random } = scene;
    const relay = await grounds.relay('relay');
    const daemon = await startLoaded(scene, 'notes');
    await daemon.call(linkDevice, { body: { relay: relay.origin, email: 'ada@example.org', name: 'ada' } });
    const { id } = await daemon.call(sessions.createSession, {
      body: { agent: 'x', namespace: 'n', title: 'notes' },
    });
    await daemon.call(sessions.addEntries, {
      params: { id },
      body: { entries: [{ kind: 'prompt', text: 'hello' }] },
    });
    const { token } = await daemon.call(sharing.previewSession, { params: { id }, query: {} });
    await daemon.call(sharing.shareSession, {
      params: { id },
      body: { from: 'start', role: 'editor', token },
    });
    const { path } = await daemon.call(sharing.sessionNotes, { params: { id } });
    const at = `${path}/${id}`;
    const by = (key: string) => ({ 'Sec-WebSocket-Protocol': `${SUBPROTOCOL}, bearer.${key}` });

    const kept = secretWord(random);
    const owner = await open(daemon.origin, at, daemon.ownerKey);
    await owner.opened;
    owner.write(`The safe opens with ${kept}.`);
    const arrived = (word: string) =>
      eventually(
        async () => {
          const reader = await open(daemon.origin, at, daemon.ownerKey);
          await reader.opened;
          reader.ask();
          const came = await eventually(
            () => (wordsIn(reader.came(), new Set([word])).length > 0 ? true : undefined),
            { withinMs: 1000 },
          );
          reader.end();
          return came;
        },
        { withinMs: 10_000, everyMs: 100 },
      );
    if (!(await arrived(kept))) section.found('wrong', 'the notes did not take what the owner wrote');

    const update = updateOf('spoiled');
    for (const { what, bytes } of oddFrames(update, random)) {
      await during({ section, target: daemon }, `notes: ${what}`, async () => {
        const { status } = await sendFrames(daemon.origin, {
          path: at,
          headers: by(daemon.ownerKey),
          bytes,
          listenMs: 40,
        });
        section.did('sockets');
        section.answered(status);
        if (status !== 101) section.found('wrong', `notes: ${what}: the handshake was answered ${status}`);
      });
      section.turn(relay.longestTurn(Date.now() - 200), `relay: ${what}`);
    }

    // The relay's own doors, by a device of somebody else.
    const mallory = await signUp(relay.origin, 'mallory@example.org');
    for (const [door, headers] of [
      [`/y/${id}`, { 'Sec-WebSocket-Protocol': `${SUBPROTOCOL}, bearer.${mallory.key}` }],
      ['/v1/sync', { Authorization: `Bearer ${mallory.key}` }],
    ] as const)
      for (const { what, bytes } of [
        ...oddFrames(update, random),
        { what: 'a question', bytes: Buffer.alloc(0) },
      ])
        await during({ section, target: relay }, `relay ${door}: ${what}`, async () => {
          const { status, came } = await sendFrames(relay.origin, { path: door, headers, bytes });
          section.did('sockets');
          section.answered(status);
          if (wordsIn(came.toString('latin1'), new Set([kept])).length > 0)
            section.found('readable', `relay ${door} told a stranger of the notes`);
        });

    // A key that is revoked while its socket is open neither reads nor writes on.
    const gone = await daemon.call(createKey, { body: { name: 'gone to be' } });
    const socket = await open(daemon.origin, at, gone.key);
    if (!(await socket.opened)) section.found('wrong', 'the notes did not let a key in');
    await daemon.call(revokeKey, { params: { id: gone.id } });
    const [written, later] = [secretWord(random), secretWord(random)];
    socket.write(`Again: ${written}`);
    owner.write(`Later: ${later}`);
    if (!(await arrived(later)))
      section.found('lost', 'what the owner wrote behind all of it is not in the notes');
    const all = await open(daemon.origin, at, daemon.ownerKey);
    await all.opened;
    all.ask();
    await eventually(() => (wordsIn(all.came(), new Set([later])).length > 0 ? true : undefined), {
      withinMs: 5000,
    });
    if (wordsIn(all.came(), new Set([written])).length > 0)
      section.found('wrong', 'a revoked key wrote on in the notes');
    if (wordsIn(all.came(), new Set([kept])).length === 0)
      section.found('lost', 'what the owner wrote first is not in the notes any more');
    section.did('acknowledged writes', 2);
    if (wordsIn(socket.came(), new Set([later])).length > 0)
      section.found('readable', 'a revoked key reads on in the notes');
    const narrow = await daemon.call(createKey, { body: { name: 'narrow', namespaces: ['elsewhere'] } });
    for (const [who, key] of [
      ['a narrower key', narrow.key],
      ['a revoked key', gone.key],
      ['nobody', 'rv_live_x'],
    ] as const) {
      const stranger = await open(daemon.origin, at, key);
      if (await stranger.opened) stranger.ask();
      await new Promise((resolve) => setTimeout(resolve, 400));
      section.did('sockets');
      if (wordsIn(stranger.came(), new Set([kept, later])).length > 0)
        section.found('readable', `${who} reads the notes`);
      stranger.end();
    }
    for (const one of [owner, socket, all]) one.end();
    await isWell(section, daemon);
    await isWell(section, relay);
  },
};

/** A message of y-websocket: an update that writes a text. */
function updateOf(text: string): Buffer {
  const doc = new Y.Doc();
  doc.getText('notes').insert(0, text);
  const update = Y.encodeStateAsUpdate(doc);
  const length = update.length < 128 ? [update.length] : [(update.length & 127) | 128, update.length >> 7];
  return Buffer.concat([Buffer.from([0, 2, ...length]), update]);
}

/** A socket to the notes that says what it is told, and no more. */
async function open(origin: string, path: string, key: string) {
  const socket = new WebSocket(`${origin.replace('http', 'ws')}${path}`, [SUBPROTOCOL, `bearer.${key}`]);
  let came = '';
  socket.on('message', (data: Buffer) => (came += data.toString('latin1')));
  const opened = new Promise<boolean>((resolve) => {
    socket.once('open', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('close', () => resolve(false));
  });
  const say = (bytes: Buffer) => {
    if (socket.readyState === WebSocket.OPEN) socket.send(bytes);
  };
  return {
    opened,
    came: () => came,
    /** Asks for all that stands there. */
    ask: () => say(Buffer.from([0, 0, 1, 0])),
    write: (text: string) => say(updateOf(text)),
    end: () => socket.terminate(),
  };
}
