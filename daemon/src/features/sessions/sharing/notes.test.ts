import * as sharing from '@reverie/shared/contract/session-sharing';
import * as contract from '@reverie/shared/contract/sessions';
import { createKey } from '@reverie/shared/contract/keys';
import { STREAM_PROTOCOL } from '@reverie/shared/contract/stream';
import { linkDevice } from '@reverie/shared/contract/sync';
import { WebsocketProvider } from 'y-websocket';
import { Doc } from 'yjs';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
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
async function open(daemon: TestDaemon, key = daemon.ownerKey) {
  const { path, room, role } = await daemon.call(sharing.sessionNotes, { params: { id } });
  const doc = new Doc();
  const provider = new WebsocketProvider(`${daemon.origin.replace('http', 'ws')}${path}`, room, doc, {
    protocols: [STREAM_PROTOCOL, `bearer.${key}`],
    disableBc: true,
    maxBackoffTime: 100,
  });
  onTestFinished(() => provider.destroy());
  const text = doc.getText('notes');
  return {
    ...{ provider, role, text: () => text.toJSON(), write: (more: string) => text.insert(text.length, more) },
    synced: () => vi.waitFor(() => expect(provider.synced).toBe(true), { timeout: 20_000 }),
    says: (expected: string) =>
      vi.waitFor(() => expect(text.toJSON()).toBe(expected), { timeout: 20_000, interval: 20 }),
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

test('what a viewer writes goes to nobody', async () => {
  await invited('viewer');
  const [of, other] = [await open(ada), await open(ben)];
  await Promise.all([of.synced(), other.synced()]);
  other.write('no ');
  of.write('yes');
  await vi.waitFor(() => expect(other.text()).toContain('yes'), { timeout: 20_000 });
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
    { timeout: 20_000, interval: 20 },
  );
  const ended = new Promise<number>((resolve) =>
    other.provider.on('closed', ({ code }: { code: number }) => resolve(code)),
  );
  await ada.call(sharing.removeParticipant, { params: { id, participant } });
  expect(await ended).toBe(4404);
});

test('a key that may only read, or has other namespaces, opens no notes', async () => {
  await invited('editor');
  const keys = await Promise.all([
    ada.call(createKey, { body: { name: 'reads', scope: 'read' } }),
    ada.call(createKey, { body: { name: 'elsewhere', scope: 'write', namespaces: ['project/*'] } }),
  ]);
  for (const { key } of keys) {
    const other = await open(ada, key);
    other.provider.connect();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(other.provider.synced).toBe(false);
  }
});
