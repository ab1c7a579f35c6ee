import { ApiError, type Client } from '@reverie/shared/client';
import { expect, test, vi } from 'vitest';
import { fakeClock } from '../../../testing/fake-clock.ts';
import { idOf } from '../address.ts';
import { createTrashing } from './trashing.ts';

const memory = { namespace: 'n', key: 'k', title: 'K', updated_at: '2026-11-20T09:30:00.000Z' };
const other = { ...memory, namespace: 'm' };
const id = JSON.stringify([idOf(memory)]);
const AT = '2026-11-23T00:00:00.000Z';

function setUp(fails?: ApiError, fetched: () => Promise<void> = async () => undefined) {
  const clock = fakeClock();
  const told: string[] = [];
  const client = (async (route: { id: string }, sent: { body: { items: object[] } }) => {
    if (fails) throw fails;
    told.push(`${route.id} ${JSON.stringify(sent.body.items)}`);
    return {
      success: true,
      trashed: sent.body.items.map((item) => ({ ...memory, ...item, trashed_at: AT, ends_at: AT })),
      restored: [],
    };
  }) as unknown as Client;
  const trashing = createTrashing({
    clock,
    client,
    refresh(namespaces) {
      told.push(`refresh ${[...namespaces].join(' ')}`);
      return fetched();
    },
    failed: (message) => void told.push(message),
    ended: ({ key }) => void told.push(`ended ${key}`),
  });
  return { clock, told, trashing, phases: () => trashing.moved.get().map(({ phase }) => phase) };
}

test('a memory is moved at once, and for six seconds it can be taken back', async () => {
  const { clock, told, trashing, phases } = setUp();
  const moving = trashing.move([memory]);
  expect(phases()).toEqual(['moving']);
  await moving;
  expect(phases()).toEqual(['moved']);
  expect(told).toEqual([
    'memory_trash [{"namespace":"n","key":"k","if_updated_at":"2026-11-20T09:30:00.000Z"}]',
    'refresh n',
  ]);
  clock.pass(5_999);
  await trashing.undo(id);
  expect(phases()).toEqual([]);
  expect(told.slice(2)).toEqual([
    `memory_trash_restore [{"namespace":"n","key":"k","trashed_at":"${AT}"}]`,
    'refresh n',
  ]);
});

test.each([
  ['was moved', undefined, ['moved']],
  ['was not moved', new ApiError({ status: 409, code: 'conflict', message: 'changed' }), []],
])(
  'a memory that %s is hidden until the lists were fetched again, else it would flash up',
  async (_, fails, then) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { told, trashing, phases } = setUp(fails, () => promise);
    const moving = trashing.move([memory]);
    await vi.waitFor(() => expect(told).toContain('refresh n'));
    await new Promise((next) => setImmediate(next));
    expect(phases()).toEqual(['moving']);
    resolve();
    await moving;
    expect(phases()).toEqual(then);
  },
);

test('the offer ends, but not while somebody reads it', async () => {
  const { clock, told, trashing, phases } = setUp();
  await trashing.move([memory]);
  trashing.hold(id);
  clock.pass(60_000);
  expect(phases()).toEqual(['moved']);
  trashing.release(id);
  clock.pass(6_000);
  expect(phases()).toEqual([]);
  expect(told.at(-1)).toBe('ended k');
  await trashing.undo(id);
  expect(told.at(-1)).toBe('ended k');
});

test('taking back waits for one that is on its way', async () => {
  const { told, trashing } = setUp();
  const moving = trashing.move([memory]);
  await Promise.all([moving, trashing.undo(id)]);
  expect(told.filter((line) => line.startsWith('memory_trash_restore'))).toHaveLength(1);
});

test('what was changed elsewhere is not moved, and it is said why', async () => {
  const { told, trashing, phases } = setUp(
    new ApiError({ status: 409, code: 'conflict', message: 'changed' }),
  );
  await trashing.move([memory]);
  expect(phases()).toEqual([]);
  expect(told[0]).toContain('was changed elsewhere meanwhile');
});

test('what is gone already is no failure', async () => {
  const { told, trashing } = setUp(new ApiError({ status: 404, code: 'memory_not_found', message: 'none' }));
  await trashing.move([memory]);
  expect(told).toEqual(['refresh n']);
});

test('several are moved and brought back together, and one that changed keeps them all', async () => {
  const { told, trashing } = setUp();
  await trashing.move([memory, other]);
  await trashing.undo(trashing.moved.get()[0]?.id ?? '');
  expect(told.map((line) => line.split(' ')[0])).toEqual([
    'memory_trash',
    'refresh',
    'memory_trash_restore',
    'refresh',
  ]);
  expect(told[3]).toBe('refresh n m');
  const refused = setUp(new ApiError({ status: 409, code: 'conflict', message: 'changed' }));
  await refused.trashing.move([memory, other]);
  expect(refused.told[0]).toContain('none was moved to the trash');
});

test('who writes under a key waits until what had it is in the trash', async () => {
  const { told, trashing } = setUp();
  void trashing.move([memory]);
  await trashing.settle({ namespace: 'n', key: 'k' });
  expect(told).toHaveLength(2);
});
