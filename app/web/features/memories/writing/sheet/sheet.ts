import {
  autocompletion,
  closeCompletion,
  completionKeymap,
  currentCompletions,
  startCompletion,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, isolateHistory } from '@codemirror/commands';
import { deleteMarkupBackward, insertNewlineContinueMarkup } from '@codemirror/lang-markdown';
import { Annotation, Compartment, EditorState, Prec, Transaction } from '@codemirror/state';
import { EditorView, keymap, placeholder } from '@codemirror/view';
import { diff, wordsOf } from '../../../../ui/text/diff.ts';
import { hasEndlessLine } from '../../../../ui/text/text-blocks.ts';
import { type FindNotes, insertable, noteNames, offers } from './completing.ts';
import { endingsOf, keepEndings, writtenText } from './endings.ts';
import { writingKeys } from './keys.ts';
import { drawLines, drawTitle } from './lines.ts';
import { look } from './look.ts';
import { noteLanguage } from './note-language.ts';

/** A paragraph longer than this is no prose: it is not read as Markdown, for that may take longer than anybody waits. */
const LONGEST_PARAGRAPH = 20_000;

const fromElsewhere = Annotation.define<true>();

interface SheetOptions {
  parent: HTMLElement;
  text: string;
  isMarkdown: boolean;
  /** What tells what the sheet is, and how one leaves it. */
  attributes: Record<string, string>;
  /** What stands where nothing is written. */
  empty: string;
  /** Stands below the title that the text begins with. */
  facts: HTMLElement | undefined;
  findNotes: FindNotes;
  today: () => string;
  onTyped: () => void;
  onLeave: () => void;
  onSave: () => void;
}

/** A sheet that is written on. */
export interface Sheet {
  view: EditorView;
  /** What is written, with its own line endings. */
  text: () => string;
  /** Brings in what was written elsewhere; the caret stays where it is. */
  replace: (text: string) => void;
}

/** Opens a text for writing, with its Markdown styled in place. Nothing of it can run, or fetch anything: all of it is text. */
export function openSheet(options: SheetOptions): Sheet {
  const { text, isMarkdown, onTyped } = options;
  const language = new Compartment();
  const isProse = isMarkdown && !hasLonger(text, LONGEST_PARAGRAPH, '\n\n');
  const view = new EditorView({
    parent: options.parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        keepEndings(text),
        history(),
        language.of(isProse ? noteLanguage : []),
        // Nor is one that is put in later.
        EditorState.transactionExtender.of((tr) =>
          tr.docChanged && isProse && bringsLong(tr) ? { effects: language.reconfigure([]) } : null,
        ),
        drawLines(isProse),
        options.facts ? drawTitle(options.facts) : [],
        look,
        hasEndlessLine(text) ? [] : EditorView.lineWrapping,
        EditorView.perLineTextDirection.of(true),
        EditorView.contentAttributes.of({
          spellcheck: 'true',
          autocapitalize: 'sentences',
          ...options.attributes,
        }),
        EditorView.scrollMargins.of(() => ({ top: 24, bottom: 72 })),
        placeholder(options.empty),
        autocompletion({
          icons: false,
          // Who types fast takes what is offered with the next key.
          interactionDelay: 0,
          defaultKeymap: false,
          override: [offers(insertable(options.today, startCompletion), noteNames(options.findNotes))],
        }),
        Prec.highest(keymap.of(completionKeymap.filter(({ key }) => key !== 'Escape'))),
        Prec.high(keymap.of(leavingKeys(options))),
        keymap.of([
          ...writingKeys,
          ...(isProse
            ? [
                { key: 'Enter', run: insertNewlineContinueMarkup },
                { key: 'Backspace', run: deleteMarkupBackward },
              ]
            : []),
          ...historyKeymap,
          ...defaultKeymap,
        ]),
        EditorView.updateListener.of(({ docChanged, transactions }) => {
          if (docChanged && transactions.some((tr) => tr.docChanged && !tr.annotation(fromElsewhere)))
            onTyped();
        }),
      ],
    }),
  });
  return {
    view,
    text: () => writtenText(view.state),
    replace: (next) => replaceWith(view, next),
  };
}

function leavingKeys({ onLeave, onSave }: SheetOptions) {
  const leave = () => {
    onLeave();
    return true;
  };
  return [
    {
      key: 'Escape',
      // What is only being looked for is not in the way.
      run: (view: EditorView) =>
        currentCompletions(view.state).length > 0 ? closeCompletion(view) : leave(),
    },
    { key: 'Mod-Enter', run: leave },
    {
      key: 'Mod-s',
      preventDefault: true,
      run: () => {
        onSave();
        return true;
      },
    },
  ];
}

function replaceWith(view: EditorView, next: string): void {
  const now = view.state.doc.toString();
  const changes: { from: number; to: number; insert: string }[] = [];
  let at = 0;
  for (const { kind, parts } of diff(wordsOf(now), wordsOf(next.replace(/\r\n?/g, '\n')))) {
    const run = parts.join('');
    if (kind === 'added') changes.push({ from: at, to: at, insert: run });
    else if (kind === 'removed') changes.push({ from: at, to: at + run.length, insert: '' });
    if (kind !== 'added') at += run.length;
  }
  view.dispatch({
    changes,
    effects: endingsOf.of(next),
    annotations: [fromElsewhere.of(true), Transaction.addToHistory.of(false), isolateHistory.of('full')],
  });
}

function bringsLong(tr: Transaction): boolean {
  let isLong = false;
  tr.changes.iterChanges((...[, , , , inserted]) => {
    isLong ||= hasLonger(inserted.toString(), LONGEST_PARAGRAPH, '\n\n');
  });
  return isLong;
}

/** Whether a text has a part of more than so many characters, up to what ends its parts. */
function hasLonger(text: string, longest: number, end: string): boolean {
  for (let from = 0; text.length - from > longest;) {
    const to = text.indexOf(end, from);
    if (to === -1 || to - from > longest) return true;
    from = to + end.length;
  }
  return false;
}
