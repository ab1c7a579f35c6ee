import { createKey } from '@reverie/shared/contract/accounts/keys';
import { type Event, listEvents } from '@reverie/shared/contract/events/events';
import { deleteMemory, setMemory } from '@reverie/shared/contract/memories/memories';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../../testing.ts';

let daemon: TestDaemon;
let agent: { id: string; key: string };
beforeAll(async () => {
  daemon = await startTestDaemon();
  agent = await daemon.call(createKey, { body: { name: 'agent' } });
  await daemon.call(setMemory, { body: { key: 'a', value: 'by the owner', namespace: 'one' } });
  await daemon.as(agent.key)(setMemory, { body: { key: 'b', value: 'by the agent', namespace: 'two' } });
  await daemon.call(deleteMemory, { body: { key: 'a', namespace: 'one' } });
});
afterAll(() => daemon.stop());

type Query = Parameters<typeof daemon.call<typeof listEvents>>[1]['query'];
const events = async (query: Query): Promise<Event[]> => (await daemon.call(listEvents, { query })).events;
const kinds = async (query: Query) => (await events(query)).map(({ type }) => type);

describe('GET /events', () => {
  test('filters by family, kind, namespace and actor', async () => {
    expect(await kinds({ family: 'memory' })).toEqual(['memory.write', 'memory.write', 'memory.delete']);
    expect(await kinds({ type: 'memory.delete' })).toEqual(['memory.delete']);
    expect(await kinds({ namespace: 'two' })).toEqual(['memory.write']);
    expect(await events({ actor_id: agent.id })).toMatchObject([{ actor: { kind: 'key', id: agent.id } }]);
    expect(await kinds({ actor_kind: 'key' })).toHaveLength(3);
    expect(await kinds({ actor_kind: 'device' })).toEqual([]);
  });

  test('pages from a cursor to the end', async () => {
    const seen: number[] = [];
    for (let since = 0; ;) {
      const page = await daemon.call(listEvents, { query: { since, limit: 2 } });
      seen.push(...page.events.map(({ seq }) => seq));
      expect(page.reset).toBe(false);
      if (page.next === since) break;
      since = page.next;
    }
    expect(seen).toEqual([1, 2, 3]);
  });

  test('a cursor of another log is reset, and a wrong filter is named', async () => {
    const other = await daemon.call(listEvents, { query: { since: 1, log_id: 'log_other' } });
    expect(other).toMatchObject({ reset: true, oldest_seq: 1 });
    expect(other.events).toHaveLength(3);
    const wrong = await daemon.ask({ path: '/v1/events?actor_kind=ghost' });
    expect([wrong.status, wrong.json.errors?.[0]?.path]).toEqual([400, 'actor_kind']);
  });

  test('what was deleted is shown for a minute', async () => {
    const shown = async () => (await events({ type: 'memory.delete' }))[0]?.data.before;
    expect(await shown()).toMatchObject({ value: 'by the owner' });
    daemon.clock.advance(91_000);
    expect(await shown()).toBeNull();
  });
});
