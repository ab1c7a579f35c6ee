import { expect, test } from 'vitest';
import { madeEntry, madeTurn } from '../../testing/made-session.ts';
import { hasFailed, nextRow, rowOf, rowsOf } from './rows.ts';

test('a call and its result are one row, and a failure is of that row', () => {
  const rows = rowsOf(madeTurn(1, 'Why twice?'));
  expect(rows.map(({ entry, result }) => [entry.kind, result?.kind])).toEqual([
    ['prompt', undefined],
    ['thinking', undefined],
    ['tool_call', 'tool_result'],
    ['tool_call', 'tool_result'],
    ['tool_call', 'tool_result'],
    ['tool_call', 'tool_result'],
    ['answer', undefined],
  ]);
  expect(rows.map(hasFailed)).toEqual([false, false, false, false, true, false, false]);
  expect(nextRow(rows, { from: 0, by: 1 }, hasFailed)).toBe(4);
  expect(nextRow(rows, { from: 4, by: 1 }, hasFailed)).toBe(-1);
  expect(nextRow(rows, { from: 6, by: -1 }, ({ entry }) => entry.kind === 'prompt')).toBe(0);
});

test('a result whose call is not read yet stands by itself', () => {
  const [, , , result, ...rest] = madeTurn(1, 'Why twice?');
  const rows = rowsOf(result ? [result, ...rest] : rest);
  expect(rows[0]?.entry.kind).toBe('tool_result');
});

test('a note stands at the entry that it is about, also at a result and at another note', () => {
  const turn = madeTurn(1, 'Why twice?');
  const noteOn = (seq: number, about: string) =>
    madeEntry(seq, 'note', { text: `On ${about}`, reply_to: about });
  const rows = rowsOf([...turn, noteOn(20, 'e_4'), noteOn(21, 'e_20'), noteOn(22, 'e_999')]);
  expect(rows.map(({ notes }) => notes.length)).toEqual([0, 0, 2, 0, 0, 0, 0, 0]);
  expect(rows.at(-1)?.entry.id).toBe('e_22');
  expect(['e_3', 'e_4', 'e_20', 'e_21'].map((id) => rowOf(rows, id))).toEqual([2, 2, 2, 2]);
  expect(rowOf(rows, 'e_998')).toBe(-1);
});
