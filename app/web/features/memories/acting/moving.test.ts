import { ApiError, type Client } from '@reverie/shared/client';
import { expect, test } from 'vitest';
import { draftId, drafts, draftOf, keepDraft } from '../writing/drafts/draft.ts';
import { savers } from '../writing/drafts/unsaved.ts';
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

test('what is being written of it goes with it, and it stays where that cannot be saved', async () => {
  const done: string[] = [];
  const client = (async () => {
    done.push('moved');
    return { success: true, key: 'b', namespace: 'n', mended: 0 };
  }) as unknown as Client;
  const from = { key: 'a', namespace: 'n' };
  const id = draftId('n', 'a');
  const base = {
    ...from,
    value: 'before',
    metadata: {},
    class: 'note',
    title: '',
    created_at: '2026-11-20T09:00:00.000Z',
    updated_at: '2026-11-20T09:00:00.000Z',
  } as const;
  keepDraft(id, { ...draftOf(base), value: 'before, and more' });
  const save = async () => {
    done.push('saved');
    keepDraft(id, undefined);
  };
  const saveOther = async () => void done.push('another one');
  savers.set(save, id).set(saveOther, draftId('n', 'other'));
  const whereTo = () => ({ key: 'b', namespace: 'n' });
  expect((await moveAll(client, [from], { whereTo })).moved).toHaveLength(1);
  expect(done).toEqual(['saved', 'moved']);
  savers.clear();
  keepDraft(id, { ...draftOf(base), value: 'in conflict' });
  const { moved, failure } = await moveAll(client, [from], { whereTo });
  expect([moved, done]).toEqual([[], ['saved', 'moved']]);
  expect(String(failure)).toContain('not saved yet');
  drafts.set(new Map());
});
