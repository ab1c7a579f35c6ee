import type {
  Completion,
  CompletionContext,
  CompletionResult,
  CompletionSource,
} from '@codemirror/autocomplete';
import type { EditorView } from '@codemirror/view';

/** A note that a link may lead to. */
export interface Linkable {
  key: string;
  title: string;
}

/** Names of notes that fit what was typed, a few. */
export type FindNotes = (typed: string, signal: AbortSignal) => Promise<readonly Linkable[]>;

/** How long nothing is typed before names are looked for, ms. */
const REST_MS = 120;

/**
 * Offers what may be inserted behind a `/`, and notes behind `[[`.
 *
 * One source, not two: with two, each key asks again the one that had nothing to offer, and what the
 * other offers cannot be taken with Enter for as long as that takes.
 */
export function offers(
  inserts: (context: CompletionContext) => CompletionResult | null,
  names: CompletionSource,
): CompletionSource {
  return (context) => inserts(context) ?? names(context);
}

/** Offers notes behind `[[`. */
export function noteNames(find: FindNotes): CompletionSource {
  return async (context: CompletionContext): Promise<CompletionResult | null> => {
    const begun = context.matchBefore(/\[\[[^[\]\n|]*$/);
    if (!begun) return null;
    const over = new AbortController();
    context.addEventListener('abort', () => over.abort(), { onDocChange: true });
    await new Promise((rested) => setTimeout(rested, REST_MS));
    if (context.aborted) return null;
    const found = await find(begun.text.slice(2).trim(), over.signal);
    if (context.aborted) return null;
    return {
      from: begun.from + 2,
      filter: false,
      options: found.map(({ key, title }) => ({
        label: title === '' ? key : title,
        detail: title === '' || title === key ? '' : key,
        apply: (view, _, ...[from, to]) => insertLink(view, { from, to, name: key.replace(/\.md$/iu, '') }),
      })),
    };
  };
}

function insertLink(view: EditorView, { from, to, name }: { from: number; to: number; name: string }): void {
  const isClosed = view.state.sliceDoc(to, to + 2) === ']]';
  view.dispatch({
    changes: { from, to: isClosed ? to + 2 : to, insert: `${name}]]` },
    selection: { anchor: from + name.length + 2 },
    userEvent: 'input.complete',
  });
}

/** What `/` at the beginning of a line inserts: what is written, with the caret at `|`. */
export function inserts(today: () => string): readonly { label: string; detail: string; text: string }[] {
  return [
    { label: 'Heading', detail: '##', text: '## |' },
    { label: 'List', detail: '-', text: '- |' },
    { label: 'Task', detail: '- [ ]', text: '- [ ] |' },
    { label: 'Quote', detail: '>', text: '> |' },
    { label: 'Code', detail: '```', text: '```\n|\n```' },
    { label: 'Table', detail: '| |', text: '| \u0001 |  |\n| --- | --- |\n|  |  |' },
    { label: 'Today’s date', detail: today(), text: `${today()}|` },
    { label: 'Link to a note', detail: '[[', text: '[[|' },
  ];
}

/** Offers what may be inserted behind a `/` at the beginning of a line. */
export function insertable(today: () => string, openList: (view: EditorView) => void) {
  return (context: CompletionContext): CompletionResult | null => {
    const begun = context.matchBefore(/^[ \t]*\/[\p{L} ]*$/u);
    if (!begun) return null;
    const from = begun.from + begun.text.indexOf('/');
    const options = inserts(today).map(({ label, detail, text }, at): Completion => ({
      label: `/${label}`,
      displayLabel: label,
      detail,
      // In the order in which they stand.
      boost: -at,
      apply: (view, _, ...[start, end]) => {
        // A table has the same sign in its cells.
        const mark = text.includes('\u0001') ? '\u0001' : '|';
        const caret = text.indexOf(mark);
        const insert = text.slice(0, caret) + text.slice(caret + 1);
        view.dispatch({
          changes: { from: start, to: end, insert },
          selection: { anchor: start + caret },
          userEvent: 'input.complete',
        });
        if (insert === '[[') openList(view);
      },
    }));
    return { from, options, validFor: /^\/[\p{L} ]*$/u };
  };
}
