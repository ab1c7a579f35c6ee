import {
  type EditorState,
  type Extension,
  RangeSet,
  RangeSetBuilder,
  RangeValue,
  StateEffect,
  StateField,
} from '@codemirror/state';

/** How a line ends. */
type Ending = '\n' | '\r\n' | '\r';

/** Stands at a line break that is not what most of a text's are. It goes with the break. */
class OddEnding extends RangeValue {
  override startSide = 1;
  override endSide = -1;

  readonly written: Ending;

  constructor(written: Ending) {
    super();
    this.written = written;
  }

  override eq(other: RangeValue): boolean {
    return other instanceof OddEnding && other.written === this.written;
  }
}

interface Endings {
  most: Ending;
  odd: RangeSet<OddEnding>;
}

/** Says that the text is another one now, with its own line endings. */
export const endingsOf = StateEffect.define<string>();

const NO_ENDINGS: Endings = { most: '\n', odd: RangeSet.of<OddEnding>([]) };

function endingsIn(text: string): Endings {
  if (!text.includes('\r')) return NO_ENDINGS;
  const found: { at: number; written: Ending }[] = [];
  const counts = new Map<Ending, number>();
  let shorter = 0;
  for (const { 0: matched, index } of text.matchAll(/\r\n|\r|\n/g)) {
    const written: Ending = matched === '\r\n' ? '\r\n' : matched === '\r' ? '\r' : '\n';
    found.push({ at: index - shorter, written });
    counts.set(written, (counts.get(written) ?? 0) + 1);
    shorter += matched.length - 1;
  }
  const [most = '\n'] = [...counts.keys()].sort((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0));
  const builder = new RangeSetBuilder<OddEnding>();
  for (const { at, written } of found) if (written !== most) builder.add(at, at + 1, new OddEnding(written));
  return { most, odd: builder.finish() };
}

const field = StateField.define<Endings>({
  create: () => NO_ENDINGS,
  update: ({ most, odd }, { changes, docChanged, effects }) => {
    for (const effect of effects) if (effect.is(endingsOf)) return endingsIn(effect.value);
    return docChanged && odd.size > 0 ? { most, odd: odd.map(changes) } : { most, odd };
  },
});

/** The line endings of a text that is written: CodeMirror has but one kind, and a note keeps its own. */
export function keepEndings(text: string): Extension {
  return field.init(() => endingsIn(text));
}

/** What is written, with the line endings that it came with; lines that are new end as most do. */
export function writtenText(state: EditorState): string {
  const { doc } = state;
  const { most, odd } = state.field(field);
  if (most === '\n' && odd.size === 0) return doc.toString();
  const parts: string[] = [];
  let from = 0;
  const add = (to: number) => parts.push(doc.sliceString(from, to, most));
  for (const cursor = odd.iter(); cursor.value; cursor.next()) {
    add(cursor.from);
    parts.push(cursor.value.written);
    from = cursor.to;
  }
  add(doc.length);
  return parts.join('');
}
