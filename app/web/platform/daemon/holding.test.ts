import { ApiError, type CallOptions, type Client } from '@reverie/shared/client';
import { createKey, listKeys, revokeKey } from '@reverie/shared/contract/accounts/keys';
import { searchMemories } from '@reverie/shared/contract/search/search';
import { setMemory } from '@reverie/shared/contract/memories/memories';
import { expect, test } from 'vitest';
import { becomes, createHolding, type Reachability } from './holding.ts';
import { createStore } from '../store.ts';

const down = (code: 'unreachable' | 'unavailable' = 'unreachable') =>
  new ApiError({ status: 0, code, message: 'no answer' });
const isDown = (error: unknown) => error instanceof ApiError && error.status === 0;
const settled = () => new Promise((done) => setImmediate(done));

/** A page whose daemon answers what the test says; each failure is noted, as the page's client notes it. */
function setUp(answers: unknown[] = []) {
  const reach = createStore<Reachability>('up');
  let whom: string | undefined = 'rv_a';
  const calls: { id: string; options: CallOptions | undefined }[] = [];
  const client = async ({ id }: { id: string }, _: unknown, options?: CallOptions) => {
    calls.push({ id, options });
    const answer = answers.shift() ?? 'done';
    if (!(answer instanceof Error)) return answer;
    if (isDown(answer)) reach.set('down');
    throw answer;
  };
  const { hold, heldWrites } = createHolding({ reach, isDown, asWhom: () => whom });
  const call = hold(client as unknown as Client);
  return { reach, calls, call, heldWrites, becomeAnother: () => void (whom = 'rv_b') };
}

const write = { body: { key: 'k', value: 'v' } };
const search = { body: { query: 'q' } };

test('a call while the daemon is away waits and is not made before; only changes are counted', async () => {
  const { reach, calls, call, heldWrites } = setUp();
  reach.set('down');
  const made = [call(revokeKey, { params: { id: 'k' } }), call(setMemory, write), call(listKeys, {})];
  await settled();
  expect([calls.length, heldWrites.get()]).toEqual([0, 2]);
  reach.set('up');
  expect(await Promise.all(made)).toEqual(['done', 'done', 'done']);
  expect([calls.length, heldWrites.get()]).toEqual([3, 0]);
});

test('what only reads, and what is done once, is made again when it broke off; the key of both tries is one', async () => {
  for (const make of [
    (call: Client) => call(listKeys, {}),
    (call: Client) => call(searchMemories, search),
    (call: Client) => call(setMemory, write),
  ]) {
    const { reach, calls, call } = setUp([down(), 'then']);
    const made: Promise<unknown> = make(call);
    await settled();
    expect(calls).toHaveLength(1);
    reach.set('up');
    expect(await made).toBe('then');
    expect(calls[1]?.options?.idempotencyKey).toBe(calls[0]?.options?.idempotencyKey);
    if (calls[0]?.id === 'memory_set') expect(calls[0].options?.idempotencyKey).toMatch(/^[0-9a-f]{32}$/);
  }
});

test('what may be done already is not made again, and says so; what was refused is', async () => {
  const broken = setUp([down()]);
  const body = { name: 'n', scope: 'read' } as const;
  await expect(broken.call(createKey, { body })).rejects.toThrow('Look whether it was done');
  const refused = setUp([down('unavailable')]);
  const made: Promise<unknown> = refused.call(createKey, { body });
  await settled();
  refused.reach.set('up');
  expect(await made).toBe('done');
});

test('a call that breaks off each time fails in the end, though the daemon answers others', async () => {
  const { reach, calls, call } = setUp([down(), down(), down(), down()]);
  const off = reach.subscribe(() => queueMicrotask(() => reach.set('up')));
  await expect(call(listKeys, {})).rejects.toThrow('no answer');
  expect(calls).toHaveLength(3);
  off();
});

test('other failures are told at once', async () => {
  const refusal = new ApiError({ status: 404, code: 'key_not_found', message: 'gone' });
  const { call, calls } = setUp([refusal]);
  await expect(call(listKeys, {})).rejects.toBe(refusal);
  expect(calls).toHaveLength(1);
});

test('who stops waiting is let go, and what waits is not sent in the name of somebody else', async () => {
  const { reach, calls, call, heldWrites, becomeAnother } = setUp();
  reach.set('down');
  const over = new AbortController();
  const left = call(setMemory, write, { signal: over.signal });
  over.abort(new Error('the view is closed'));
  await expect(left).rejects.toThrow('the view is closed');
  const kept = call(setMemory, write);
  becomeAnother();
  reach.set('up');
  await expect(kept).rejects.toThrow('before you were signed out');
  expect([calls.length, heldWrites.get()]).toEqual([0, 0]);
});

test('a store that has the value already is not waited for', async () => {
  await becomes(createStore('up'), 'up');
  const gone = new AbortController();
  gone.abort(new Error('over'));
  await expect(becomes(createStore('up'), 'down', gone.signal)).rejects.toThrow('over');
});
