import { type Finding, proposeInsights, rejectInsight } from '@reverie/shared/contract/dreams/dreams';
import { listEvents } from '@reverie/shared/contract/events/events';
import { sendMessage } from '@reverie/shared/contract/events/inbox';
import { createKey } from '@reverie/shared/contract/accounts/keys';
import {
  deleteMemory,
  listNamespaces,
  setMemory,
  storeBatch,
} from '@reverie/shared/contract/memories/memories';
import { changeSettings } from '@reverie/shared/contract/system/settings';
import { today } from '@reverie/shared/contract/memories/today';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../../testing.ts';

let daemon: TestDaemon;
beforeEach(async () => {
  daemon = await startTestDaemon();
});
afterEach(() => daemon.stop());

const store = (namespace: string, texts: Readonly<Record<string, string>>) =>
  daemon.call(storeBatch, {
    body: { items: Object.entries(texts).map(([key, value]) => ({ namespace, key, value })) },
  });
const propose = async (namespace: string, findings: Finding[]) =>
  (await daemon.call(proposeInsights, { body: { namespace, findings } })).findings.map(({ id = '' }) => id);
const keyOf = async (narrower: { namespaces?: string[]; name?: string; scope?: 'read' | 'write' }) =>
  (await daemon.call(createKey, { body: { name: 'Codex', scope: 'read', ...narrower } })).key;
const disagree: Finding = {
  kind: 'disagree',
  title: 'Port 8443 or 9443?',
  why: 'They name two ports.',
  evidence: [
    { key: 'one', quote: 'The port is 8443.' },
    { key: 'two', quote: 'The port is 9443.' },
  ],
};
const due: Finding = {
  kind: 'due',
  title: 'The lease ends',
  why: '',
  due_on: '2099-05-04',
  evidence: [{ key: 'lease', quote: 'The lease ends on 2099-05-04.' }],
};
const TEXTS = { one: 'The port is 8443.', two: 'The port is 9443.', lease: 'The lease ends on 2099-05-04.' };

test('one answer has all that is looked at first, and what comes up is not to decide', async () => {
  expect(await daemon.call(today, { query: { parts: 'decided' } })).toMatchObject({
    decided: { count: 0, dreamt: false },
  });
  await store('work', TEXTS);
  const [decision = '', day = ''] = await propose('work', [disagree, due]);
  const message = { kind: 'note', payload: { text: 'Halden asked again.' } };
  for (const from of ['Grace', 'person'])
    await daemon.call(sendMessage, { params: { namespace: 'work' }, body: { from, ...message } });
  await daemon.call(changeSettings, { body: { thoughts: { namespace: 'journal' } } });
  const told = await daemon.call(today, { query: {} });
  expect(told).toMatchObject({
    to_decide: { count: 1, insights: [{ id: decision }] },
    coming_up: { insights: [{ id: day }], more: false },
    decided: { count: 0, dreamt: true },
    unread: [{ namespace: 'work', count: 1 }],
    settings: { thoughts: { namespace: 'journal' } },
  });
  expect({ namespaces: told.namespaces }).toEqual(await daemon.call(listNamespaces, {}));
  const { newest_seq, log_id } = await daemon.call(listEvents, { query: { limit: 1 } });
  expect(told.cursor).toEqual({ since: newest_seq, log_id });
  await daemon.call(rejectInsight, { params: { id: decision } });
  expect(await daemon.call(today, { query: { parts: 'decided,to_decide' } })).toEqual({
    cursor: { since: newest_seq + 1, log_id },
    decided: { count: 1, dreamt: true },
    to_decide: { count: 0, insights: [] },
  });
});

test('who did what is a line for each actor and namespace, the latest first, by name for the owner alone', async () => {
  await daemon.call(setMemory, { body: { namespace: 'old', key: 'a', value: 'long ago' } });
  daemon.clock.advance(3 * 86_400_000);
  await store('home', { a: 'one', b: 'two' });
  daemon.clock.advance(1_000);
  const codex = daemon.as(await keyOf({ scope: 'write' }));
  for (const value of ['1', '2', '3'])
    await codex(setMemory, { body: { namespace: 'work', key: 'count', value } });
  await codex(deleteMemory, { body: { namespace: 'work', key: 'count' } });
  const lines = async (call: TestDaemon['call']) =>
    ((await call(today, { query: { parts: 'doings' } })).doings ?? []).map(
      ({ name, namespace, wrote, changed, deleted }) => [name, namespace, wrote, changed, deleted],
    );
  expect(await lines(daemon.call)).toEqual([
    ['Codex', 'work', 1, 2, 1],
    ['owner-key', 'home', 2, 0, 0],
  ]);
  expect((await lines(codex)).map(([name]) => name)).toEqual([null, null]);
});

test('a key that has one namespace is told of nothing else, and of no settings', async () => {
  for (const namespace of ['theirs', 'mine']) {
    await store(namespace, TEXTS);
    await propose(namespace, [disagree, due]);
    await daemon.call(sendMessage, {
      params: { namespace },
      body: { from: 'Grace', kind: 'note', payload: { text: namespace } },
    });
  }
  const told = await daemon.as(await keyOf({ namespaces: ['mine'] }))(today, { query: {} });
  expect(JSON.stringify(told)).not.toContain('theirs');
  expect(told).toMatchObject({
    namespaces: [{ namespace: 'mine', count: 3 }],
    to_decide: { count: 1, insights: [{ namespace: 'mine' }] },
    coming_up: { insights: [{ namespace: 'mine' }] },
    unread: [{ namespace: 'mine', count: 1 }],
    doings: [{ namespace: 'mine', name: null }],
    settings: null,
  });
});

test('a part that there is not is named', async () => {
  await expect(daemon.call(today, { query: { parts: 'namespaces,weather' } })).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringContaining('parts') as string,
  });
});
