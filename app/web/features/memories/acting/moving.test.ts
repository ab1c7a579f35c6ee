import { ApiError, type Client } from '@reverie/shared/client';
import { expect, test } from 'vitest';
import { moveAll } from './moving.ts';

test('what has a taken key stays, the others move, and one that is there already is not asked for', async () => {
  const asked: string[] = [];
  const client = (async (_: unknown, { body }: { body: { key: string; to: object } }) => {
    asked.push(body.key);
    expect(Object.keys(body.to).sort()).toEqual(['key', 'namespace']);
    if (body.key === 'taken') throw new ApiError({ status: 409, code: 'conflict', message: 'taken' });
    return { success: true, key: body.key, namespace: 'to', mended: 2 };
  }) as unknown as Client;
  const of = (key: string, namespace = 'from') => ({ key, namespace });
  const all = [of('a'), of('taken'), of('there', 'to')];
  expect(
    await moveAll(client, all, {
      whereTo: (one) => ({ ...one, namespace: 'to', title: 'more than an address' }),
    }),
  ).toEqual({
    moved: [{ from: of('a'), to: of('a', 'to') }],
    taken: [of('taken')],
    mended: 2,
  });
  expect(asked).toEqual(['a', 'taken']);
});

test('what moved before a failure is told, with the failure, and the rest is not asked for', async () => {
  const failure = new Error('the connection is gone');
  const client = (async (_: unknown, { body }: { body: { key: string } }) => {
    if (body.key === 'b') throw failure;
    return { success: true, key: body.key, namespace: 'to', mended: 0 };
  }) as unknown as Client;
  const all = ['a', 'b', 'c'].map((key) => ({ key, namespace: 'from' }));
  const steps: number[] = [];
  const outcome = await moveAll(client, all, {
    whereTo: ({ key }) => ({ key, namespace: 'to' }),
    onStep: (done) => steps.push(done),
  });
  expect(outcome.moved.map(({ from }) => from.key)).toEqual(['a']);
  expect([outcome.failure, steps]).toEqual([failure, [1]]);
});
