import * as sharing from '@reverie/shared/contract/sessions/session-sharing';
import * as contract from '@reverie/shared/contract/sessions/sessions';
import { createKey } from '@reverie/shared/contract/accounts/keys';
import { STREAM_PROTOCOL } from '@reverie/shared/contract/events/stream';
import { linkDevice } from '@reverie/shared/contract/sync/sync';
import { WebsocketProvider } from 'y-websocket';
import { WebSocket } from 'ws';
import { Doc } from 'yjs';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { seconds } from '@reverie/shared/testing/patience';
import { startRelay, type TestRelay } from '../../../../../cloud/src/testing/relay.ts';
import { startTestDaemon, type TestDaemon } from '../../../testing.ts';

let relay: TestRelay;
let ada: TestDaemon;
let ben: TestDaemon;
let id: string;

beforeEach(async () => {
  relay = await startRelay({});
  [ada, ben] = await Promise.all([startTestDaemon(), startTestDaemon()]);
  await ada.call(linkDevice, { body: { relay: relay.origin, email: 'ada@example.org', name: 'ada' } });
  await ben.call(linkDevice, { body: { relay: relay.origin, email: 'ben@example.org', name: 'ben' } });
  ({ id } = await ada.call(contract.createSession, { body: { agent: 'codex', title: 'Limits' } }));
});
afterEach(async () => {
  await Promise.all([ada.stop(), ben.stop()]);
  await relay.stop();
});

async function invited(role: 'viewer' | 'editor'): Promise<void> {
  const { token } = await ada.call(sharing.previewSession, { params: { id }, query: {} });
  const { invite } = await ada.call(sharing.shareSession, {
    params: { id },
    body: { from: 'start', role, token },
  });
  await ben.call(sharing.joinSession, { body: { invite } });
}

/** A stock y-websocket client, as the page has it. */
async function open(daemon: TestDaemon) {
  const { path, room, role } = await daemon.call(sharing.sessionNotes, { params: { id } });
  const doc = new Doc();
  const provider = new WebsocketProvider(`${daemon.origin.replace('http', 'ws')}${path}`, room, doc, {
    protocols: [STREAM_PROTOCOL, `bearer.${daemon.ownerKey}`],
    disableBc: true,
    maxBackoffTime: 100,
  });
  onTestFinished(() => provider.destroy());
  const text = doc.getText('notes');
  return {
    provider,
    role,
    text: () => text.toJSON(),
    write: (more: string) => text.insert(text.length, more),
    synced: () => vi.waitFor(() => expect(provider.synced).toBe(true), { timeout: seconds(20) }),
    says: (expected: string) =>
      vi.waitFor(() => expect(text.toJSON()).toBe(expected), { timeout: seconds(20), interval: 20 }),
  };
}

test('two people write the notes of a session at once, and see each other', async () => {
  await invited('editor');
  const [of, other] = [await open(ada), await open(ben)];
  of.provider.awareness.setLocalStateField('user', { name: 'ada' });
  of.write('The limiter ');
  await other.says('The limiter ');
  other.write('works.');
  await of.says('The limiter works.');
  await vi.waitFor(() => {
    expect(JSON.stringify([...other.provider.awareness.getStates().values()])).toContain('ada');
  });
  expect([of.role, other.role]).toEqual(['owner', 'editor']);
});

test('a note and a prompt are told by the e-mail address of their person, also what was written before the link', async () => {
  await ada.call(contract.addEntries, {
    params: { id },
    body: { entries: [{ kind: 'prompt', text: 'Limit it' }] },
  });
  await invited('editor');
  await ben.call(contract.addEntries, {
    params: { id },
    body: { entries: [{ kind: 'note', text: 'on it', agent: null }] },
  });
  for (const daemon of [ada, ben])
    await vi.waitFor(
      async () => {
        const { entries } = await daemon.call(contract.listEntries, { params: { id }, query: {} });
        expect(entries.map(({ author }) => author.name).slice(-1)).toEqual(['ben@example.org']);
      },
      { timeout: seconds(20), interval: 20 },
    );
  const { entries } = await ben.call(contract.listEntries, { params: { id }, query: {} });
  expect(entries.map(({ author }) => author.name)).toEqual(['ada@example.org', 'ben@example.org']);
  expect((await ben.call(sharing.sessionNotes, { params: { id } })).name).toBe('ben@example.org');
});

test('what a viewer writes goes to nobody', async () => {
  await invited('viewer');
  const [of, other] = [await open(ada), await open(ben)];
  await Promise.all([of.synced(), other.synced()]);
  other.write('no ');
  of.write('yes');
  await vi.waitFor(() => expect(other.text()).toContain('yes'), { timeout: seconds(20) });
  expect(of.text()).toBe('yes');
});

test('who is removed loses the notes at once, and does not come again', async () => {
  await invited('editor');
  const other = await open(ben);
  await other.synced();
  const participant = await vi.waitFor(
    async () => {
      const { participants } = await ada.call(contract.getSession, { params: { id } });
      const found = participants.find(({ self }) => !self);
      if (!found) throw new Error('nobody else is known to be there yet');
      return found.id;
    },
    { timeout: seconds(20), interval: 20 },
  );
  const ended = new Promise<number>((resolve) =>
    other.provider.on('closed', ({ code }: { code: number }) => resolve(code)),
  );
  await ada.call(sharing.removeParticipant, { params: { id, participant } });
  expect(await ended).toBe(4404);
});

test('a key that may only read, or has other namespaces, opens no notes', async () => {
  await invited('editor');
  const { path, room } = await ada.call(sharing.sessionNotes, { params: { id } });
  /** The status of a refused handshake, or the code of an opened connection that is ended. */
  const opened = (key: string) =>
    new Promise<number>((resolve, reject) => {
      const socket = new WebSocket(`${ada.origin.replace('http', 'ws')}${path}/${room}`, [
        ...[STREAM_PROTOCOL, `bearer.${key}`],
      ]);
      socket.on('unexpected-response', (_request, { statusCode = 0 }) => resolve(statusCode));
      socket.on('close', resolve);
      socket.on('error', reject);
      socket.on('message', () => (resolve(0), socket.terminate()));
    });
  const made = async (body: Parameters<typeof ada.call<typeof createKey>>[1]['body']) =>
    (await ada.call(createKey, { body })).key;
  expect(await opened(ada.ownerKey)).toBe(0);
  expect(await opened(await made({ name: 'writes', scope: 'write' }))).toBe(0);
  expect(await opened(await made({ name: 'reads', scope: 'read' }))).toBe(403);
  expect(await opened(await made({ name: 'looks', scope: 'write', can: ['read'] }))).toBe(403);
  expect(await opened(await made({ name: 'elsewhere', scope: 'write', namespaces: ['project/*'] }))).toBe(
    4404,
  );
  expect(await opened('rv_live_none')).toBe(401);
});
