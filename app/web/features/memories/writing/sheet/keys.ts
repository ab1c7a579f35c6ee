import { indentLess, indentMore } from '@codemirror/commands';
import { syntaxTree } from '@codemirror/language';
import { type ChangeSpec, EditorSelection, type StateCommand } from '@codemirror/state';
import type { Command, KeyBinding } from '@codemirror/view';

/** Puts stars around what is selected, one for slanted and two for bold, or takes them away where they stand there. */
function stars(mark: '*' | '**'): StateCommand {
  const size = mark.length;
  return ({ state, dispatch }) => {
    const changes = state.changeByRange((range) => {
      const before = /\**$/.exec(state.sliceDoc(range.from - MOST_STARS, range.from))?.[0].length ?? 0;
      const after = /^\**/.exec(state.sliceDoc(range.to, range.to + MOST_STARS))?.[0].length ?? 0;
      const there = Math.min(before, after);
      const isMarked = mark === '*' ? there % 2 === 1 : there >= 2;
      const moved = isMarked ? -size : size;
      const both: ChangeSpec = isMarked
        ? [
            { from: range.from - size, to: range.from },
            { from: range.to, to: range.to + size },
          ]
        : [
            { from: range.from, insert: mark },
            { from: range.to, insert: mark },
          ];
      return { changes: both, range: EditorSelection.range(range.anchor + moved, range.head + moved) };
    });
    dispatch(state.update(changes, { scrollIntoView: true, userEvent: 'input' }));
    return true;
  };
}

/** Stars in a row that mean something: what is bold and slanted has three. */
const MOST_STARS = 3;

/** Makes a link of what is selected; the caret goes where the rest of it is to be written. */
const link: StateCommand = ({ state, dispatch }) => {
  const changes = state.changeByRange(({ from, to }) => {
    const text = state.sliceDoc(from, to);
    const isAddress = /^https?:\/\/\S+$/.test(text);
    const insert = isAddress ? `[](${text})` : `[${text}]()`;
    const caret = isAddress || text === '' ? from + 1 : from + insert.length - 1;
    return { changes: { from, to, insert }, range: EditorSelection.cursor(caret) };
  });
  dispatch(state.update(changes, { scrollIntoView: true, userEvent: 'input' }));
  return true;
};

/** Within a list Tab sets entries in; elsewhere it goes on to what follows the text. */
function inList(command: Command): Command {
  return (view) => {
    const { from } = view.state.selection.main;
    for (let node = syntaxTree(view.state).resolveInner(from, -1); node.parent; node = node.parent)
      if (node.name === 'ListItem') return command(view);
    return false;
  };
}

/** The keys of writing that people know from elsewhere. */
export const writingKeys: readonly KeyBinding[] = [
  { key: 'Mod-b', run: stars('**') },
  { key: 'Mod-i', run: stars('*') },
  { key: 'Mod-k', run: link },
  { key: 'Tab', run: inList(indentMore), shift: inList(indentLess) },
];
