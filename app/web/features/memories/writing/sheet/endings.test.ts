import { history, undo } from '@codemirror/commands';
import { EditorState } from '@codemirror/state';
import { expect, test } from 'vitest';
import { endingsOf, keepEndings, writtenText } from './endings.ts';
import { roundTrips } from './testing/round-trips.ts';

const open = (doc: string) => EditorState.create({ doc, extensions: [keepEndings(doc), history()] });

test('what is opened, changed and changed back is the same to the byte, wherever that was', () => {
  expect(new Set(roundTrips).size).toBeGreaterThanOrEqual(60);
  for (const text of roundTrips) {
    const state = open(text);
    expect(writtenText(state)).toBe(text);
    const places = [0, 1, Math.floor(state.doc.length / 2), state.doc.length];
    for (const line of [1, 2, state.doc.lines])
      if (line <= state.doc.lines) places.push(state.doc.line(line).to);
    for (const at of places.filter((place) => place <= state.doc.length)) {
      const typed = state.update({ changes: { from: at, insert: 'x' } }).state;
      expect(writtenText(typed)).toHaveLength(text.length + 1);
      expect(writtenText(typed.update({ changes: { from: at, to: at + 1 } }).state)).toBe(text);
      let undone = typed;
      undo({ state: typed, dispatch: (tr) => (undone = tr.state) });
      expect(writtenText(undone)).toBe(text);
    }
  }
});

test('a new line ends as most do, one that is joined takes its ending along, and the others keep theirs', () => {
  const state = open('a\r\nb\nc\r\nd');
  const more = state.update({ changes: { from: 1, insert: '\nnew' } }).state;
  expect(writtenText(more)).toBe('a\r\nnew\r\nb\nc\r\nd');
  const joined = state.update({ changes: { from: 3, to: 4 } }).state;
  expect(writtenText(joined)).toBe('a\r\nbc\r\nd');
  expect(writtenText(state.update({ effects: endingsOf.of('a\nb\nc\nd') }).state)).toBe('a\nb\nc\nd');
});
