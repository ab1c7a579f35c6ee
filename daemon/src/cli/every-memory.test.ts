import { listMemories, type Memory } from '@reverie/shared/contract/memories/memories';
import type { Client } from '@reverie/shared/client';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '@reverie/shared/testing/depth';
import { everyMemory } from './every-memory.ts';

const START = Date.UTC(2026, 0, 1);

/** A server that holds memories in order of creation, and lets `meanwhile` change them before each page. */
function serverOf(stored: Memory[], meanwhile: (stored: Memory[]) => void = () => undefined) {
  let pages = 0;
  const call = async (route: unknown, sent: { body: { offset: number; limit: number } }) => {
    if (route !== listMemories)
      return { namespaces: [{ namespace: 'default', count: stored.length, bytes: 1, updated_at: '' }] };
    pages += 1;
    if (pages > 10_000) throw new Error('the walk does not end');
    meanwhile(stored);
    stored.sort(
      (a, b) =>
        a.created_at.localeCompare(b.created_at) || Buffer.compare(Buffer.from(a.key), Buffer.from(b.key)),
    );
    const { offset, limit } = sent.body;
    return { memories: stored.slice(offset, offset + limit), total: stored.length, limit, offset };
  };
  return ((route, sent) => call(route, sent as never)) as Client;
}

function memory(number: number, at: number, value = 'v'): Memory {
  const time = new Date(START + at).toISOString();
  return {
    key: `key-${number}`,
    value,
    namespace: 'default',
    metadata: {},
    class: 'note',
    title: '',
    created_at: time,
    updated_at: time,
  };
}

async function walked(client: Client): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of everyMemory(client, {})) keys.push(key);
  return keys;
}

describe('every memory', () => {
  test.each([0, 1, 2, 15, 16, 17, 31, 500])('comes once, of %i', async (number) => {
    const stored = Array.from({ length: number }, (_, at) => memory(at, at % 7));
    const keys = await walked(serverOf(stored));
    expect(keys).toEqual(stored.map(({ key }) => key));
  });

  test('comes once where all were made in the same millisecond, and where values are large', async () => {
    const stored = Array.from({ length: 60 }, (_, at) =>
      memory(at, 0, 'x'.repeat(at % 9 === 0 ? 1_000_000 : 3)),
    );
    expect((await walked(serverOf(stored))).sort()).toEqual(stored.map(({ key }) => key).sort());
  });

  test('comes once and in order, whatever is written and deleted meanwhile', async () => {
    const changes = fc.array(
      fc.record({
        removed: fc.array(fc.nat(399), { maxLength: 120 }),
        added: fc.array(fc.nat(4000), { maxLength: 40 }),
      }),
      { maxLength: 8 },
    );
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 400 }), changes, async (number, steps) => {
        const original = Array.from({ length: number }, (_, at) => memory(at, at * 10));
        const removed = new Set<string>();
        let next = 1000;
        const client = serverOf([...original], (stored) => {
          const step = steps.shift();
          if (!step) return;
          for (const at of step.removed) {
            const key = `key-${at}`;
            const found = stored.findIndex((one) => one.key === key);
            if (found < 0) continue;
            stored.splice(found, 1);
            removed.add(key);
          }
          for (const at of step.added) stored.push(memory((next += 1), at));
        });
        const keys = await walked(client);
        expect(new Set(keys).size).toBe(keys.length);
        const stayed = original.map(({ key }) => key).filter((key) => !removed.has(key));
        expect(keys.filter((key) => stayed.includes(key))).toEqual(stayed);
      }),
      { numRuns: runs(50, 200) },
    );
  });
});
