import { indentLess, indentMore } from '@codemirror/commands';
import { syntaxTree } from '@codemirror/language';
import { type ChangeSpec, EditorSelection, type StateCommand } from '@codemirror/state';
import type { Command, KeyBinding } from '@codemirror/view';

/** Puts a mark around what is selected, or takes it away where it stands there. */
function around(mark: string): StateCommand {
  return ({ state, dispatch }) => {
    const size = mark.length;
    const changes = state.changeByRange((range) => {
      const before = state.sliceDoc(range.from - size, range.from);
      const after = state.sliceDoc(range.to, range.to + size);
      if (
        before === mark &&
        after === mark &&
        !isLonger(state.sliceDoc(range.from - size - 1, range.from), mark)
      )
        return {
          changes: [
            { from: range.from - size, to: range.from },
            { from: range.to, to: range.to + size },
          ],
          range: EditorSelection.range(range.anchor - size, range.head - size),
        };
      const both: ChangeSpec = [
        { from: range.from, insert: mark },
        { from: range.to, insert: mark },
      ];
      return { changes: both, range: EditorSelection.range(range.anchor + size, range.head + size) };
    });
    dispatch(state.update(changes, { scrollIntoView: true, userEvent: 'input' }));
    return true;
  };
}

/** Whether what stands before a `*` is the `**` of something bold. */
function isLonger(before: string, mark: string): boolean {
  return mark === '*' && before === '**';
}

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
  { key: 'Mod-b', run: around('**') },
  { key: 'Mod-i', run: around('*') },
  { key: 'Mod-k', run: link },
  { key: 'Tab', run: inList(indentMore), shift: inList(indentLess) },
];
