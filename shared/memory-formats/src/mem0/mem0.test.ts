import { join } from 'node:path';
import { zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { folderWith, only, readAll } from '../testing/reading.ts';
import { mem0Reader } from './mem0.ts';

const MEMORY = {
  id: 'mem_01',
  memory: 'Prefers morning meetings',
  user_id: 'arjun',
  agent_id: null,
  run_id: 'run-7',
  hash: 'c3a1',
  metadata: { type: 'preference' },
  categories: ['work', 'habits'],
  created_at: '2025-07-22T04:40:22.738411-07:00',
  updated_at: '2025-07-23T04:40:22.738411-07:00',
  expiration_date: null,
  score: 0.7,
};

const EXPECTED = {
  key: 'mem0/mem_01',
  value: 'Prefers morning meetings',
  namespace: 'default',
  created_at: '2025-07-22T11:40:22.738Z',
  updated_at: '2025-07-23T11:40:22.738Z',
  metadata: {
    type: 'preference',
    user_id: 'arjun',
    run_id: 'run-7',
    session: 'run-7',
    tags: ['work', 'habits'],
    imported: { format: 'mem0' },
  },
  source: { id: 'mem0:mem_01', hash: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown },
};

async function read(content: string | Uint8Array, name = 'mem0.json') {
  return readAll(mem0Reader, join(await folderWith({ [name]: content }), name));
}

test.each([
  ['an array', [MEMORY]],
  ['a page of get_all', { count: 1, next: null, previous: null, results: [MEMORY] }],
  ['an export', { memories: [MEMORY] }],
])('reads %s', async (_, exported) => {
  const { memories, skipped } = await read(JSON.stringify(exported, undefined, 2));
  expect(skipped).toEqual([]);
  expect(memories).toEqual([EXPECTED]);
});

test('reads the zip of OpenMemory, with the names of its categories, without what was deleted there', async () => {
  const backup = {
    user: { id: 'u', user_id: 'arjun', metadata: { memories: 'not these' } },
    categories: [{ id: 'c1', name: 'work' }],
    memories: [
      {
        id: 'm1',
        content: 'Kept',
        state: 'active',
        metadata: null,
        category_ids: ['c1'],
        created_at: '2025-01-01T00:00:00+00:00',
      },
      { id: 'm2', content: 'Gone', state: 'deleted' },
    ],
  };
  const zip = zipSync({
    'backup/memories.json': Buffer.from(JSON.stringify(backup)),
    'memories.jsonl.gz': Buffer.from('x'),
  });
  const { memories, skipped } = await read(zip, 'memories_export.zip');
  expect(only(memories)).toMatchObject({
    key: 'mem0/m1',
    value: 'Kept',
    metadata: { tags: ['work'], state: 'active' },
  });
  expect(skipped).toMatchObject([{ path: 'memories.json#2', reason: 'deleted' }]);
});

test('lists what is no memory, and goes on', async () => {
  const { memories, skipped } = await read(
    '[{"id":1,"memory":"one"}, "text", {"id":2}, {bad}, {"id":3,"text":"three"}]',
  );
  expect(memories.map(({ key }) => key)).toEqual(['mem0/1', 'mem0/3']);
  expect(skipped.map(({ path, reason }) => [path, reason])).toEqual([
    ['mem0.json#2', 'malformed'],
    ['mem0.json#3', 'empty'],
    ['mem0.json#4', 'malformed'],
  ]);
});

test('a file that is cut off, or holds something else, is said', async () => {
  const cut = await read('{"results": [{"id":"a","memory":"whole"}, {"id":"b","mem');
  expect(only(cut.memories).key).toBe('mem0/a');
  expect(cut.skipped).toMatchObject([
    { path: 'mem0.json', reason: 'malformed', detail: 'ends in the middle' },
  ]);
  expect((await read('{"settings": {"results": [1]}}')).skipped).toMatchObject([{ reason: 'empty' }]);
});

test('the same text without an id is the same memory', async () => {
  const { memories } = await read(
    JSON.stringify([
      { memory: 'x', user_id: 'a' },
      { memory: 'x', user_id: 'b' },
    ]),
  );
  const again = await read(JSON.stringify([{ memory: 'x', user_id: 'b' }]));
  expect(memories[0]?.key).not.toBe(memories[1]?.key);
  expect(only(again.memories)).toEqual(memories[1]);
});

test('measures what is read, and says what to name', async () => {
  const root = await folderWith({ 'mem0.json': '[{"id":"a","memory":"b"}]' });
  let bytes = 0;
  await readAll(mem0Reader, join(root, 'mem0.json'), { onBytes: (more) => (bytes += more) });
  expect(await mem0Reader.measure(join(root, 'mem0.json'), {})).toBe(bytes);
  await expect(mem0Reader.measure(join(root, 'missing.json'), {})).rejects.toThrow('cannot be read');
  await expect(mem0Reader.measure(root, {})).rejects.toThrow('is a folder');
});
