import { ensureSyntaxTree, syntaxTree } from '@codemirror/language';
import { type EditorState, type Extension, type Range, StateField, type Text } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  EditorView,
  ViewPlugin,
  type ViewUpdate,
  WidgetType,
} from '@codemirror/view';
import { bodyAt } from '../../../../ui/reading/front-matter.ts';

/** Characters in which the front matter of a note has to end. */
const FRONT = 20_000;
/** Lists within lists that are set in further. */
const DEEPEST = 6;

/** Where the text below the front matter begins. */
function frontEnd(doc: Text): number {
  return doc.line(1).text.trimEnd() === '---' ? bodyAt(doc.sliceString(0, FRONT)) : 0;
}

/** The box of a task, in the place of `- [ ] `. */
class Box extends WidgetType {
  readonly isDone: boolean;

  constructor(isDone: boolean) {
    super();
    this.isDone = isDone;
  }

  override eq(other: Box): boolean {
    return other.isDone === this.isDone;
  }

  override toDOM(): HTMLElement {
    const box = document.createElement('span');
    box.className = 'cm-box';
    box.dataset['done'] = String(this.isDone);
    box.setAttribute('role', 'img');
    box.setAttribute('aria-label', this.isDone ? 'Done:' : 'To do:');
    return box;
  }

  override ignoreEvent(): boolean {
    return false;
  }
}

type Tree = ReturnType<typeof syntaxTree>;
type SyntaxNodeRef = Parameters<Parameters<Tree['iterate']>[0]['enter']>[0];

/** What a line is called by its class, and how deep a list it stands in. */
type Named = Map<number, string>;

function lineDecorations(view: EditorView, isMarkdown: boolean): DecorationSet {
  const { state } = view;
  const named: Named = new Map();
  const marks: Range<Decoration>[] = [];
  if (isMarkdown)
    for (const { from, to } of view.visibleRanges)
      syntaxTree(state).iterate({ from, to, enter: (node) => decorate(state, node, { named, marks }) });
  const front = frontEnd(state.doc);
  const lines: Range<Decoration>[] = [];
  for (const { from, to } of view.visibleRanges)
    for (let at = from; at <= to;) {
      const line = state.doc.lineAt(at);
      at = line.to + 1;
      const own = line.from < front ? ' cm-front' : (named.get(line.number) ?? '');
      const gap = isMarkdown && own === '' && line.text === '' && line.number > 1;
      const under = gap && /cm-h\d/.test(named.get(line.number - 1) ?? '') ? 'cm-gap-under' : 'cm-gap';
      const name = gap ? under : own.trim();
      lines.push(
        Decoration.line({ attributes: { dir: 'auto', ...(name && { class: name }) } }).range(line.from),
      );
    }
  return Decoration.set([...lines, ...marks], true);
}

function decorate(
  state: EditorState,
  node: SyntaxNodeRef,
  { named, marks }: { named: Named; marks: Range<Decoration>[] },
): void {
  const first = state.doc.lineAt(node.from);
  const each = (name: string) => {
    const last = state.doc.lineAt(Math.max(node.from, node.to - 1)).number;
    for (let number = first.number; number <= last; number += 1)
      named.set(number, `${named.get(number) ?? ''} ${name}`);
  };
  const heading = /^(?:ATX|Setext)Heading(\d)$/.exec(node.name);
  if (heading) return each(`cm-h${Math.min(4, Number(heading[1]))}${first.number > 1 ? ' cm-h-below' : ''}`);
  const { main } = state.selection;
  switch (node.name) {
    case 'FencedCode':
    case 'CodeBlock':
      return each('cm-code');
    case 'Blockquote':
      return each('cm-quote');
    case 'Table':
      return each('cm-row');
    // The signs of a heading are seen where one writes in it, and its words stand as they are read elsewhere.
    case 'HeaderMark': {
      const [sign] = /^#{1,6}[ \t]+(?=\S)/.exec(state.sliceDoc(node.from, first.to)) ?? [];
      const isTouched = main.to >= first.from && main.from <= first.to;
      if (sign !== undefined && node.from === first.from && !isTouched)
        marks.push(Decoration.replace({}).range(node.from, node.from + sign.length));
      return;
    }
    case 'ListMark':
      return decorateItem(state, node, { named, marks });
  }
}

/** An entry of a list hangs from its mark, as deep as the lists around it. */
function decorateItem(
  state: EditorState,
  node: SyntaxNodeRef,
  { named, marks }: { named: Named; marks: Range<Decoration>[] },
): void {
  const line = state.doc.lineAt(node.from);
  const before = state.sliceDoc(line.from, node.from);
  if (!/^\s*$/.test(before)) return;
  let level = 0;
  for (let at = node.node.parent; at; at = at.parent) if (at.name === 'ListItem') level += 1;
  const rest = /^[ \t]?(?:\[([ xX])\][ \t])?/.exec(line.text.slice(node.to - line.from));
  const end = node.to + (rest?.[0].length ?? 0);
  const deep = Math.min(level, DEEPEST);
  const isDone = rest?.[1] !== undefined && rest[1] !== ' ';
  const isNext = line.number > 1 && state.doc.line(line.number - 1).text.trim() !== '';
  const around = isNext ? ' cm-next' : '';
  named.set(line.number, ` cm-item cm-level-${deep}${around}${isDone ? ' cm-done' : ''}`);
  const { main } = state.selection;
  const isTouched = main.to >= line.from && main.from < end && main.to !== end;
  marks.push(Decoration.mark({ class: 'cm-item-mark' }).range(line.from, end));
  if (rest?.[1] !== undefined && !isTouched)
    marks.push(Decoration.replace({ widget: new Box(isDone) }).range(node.from, end));
}

/** Classes of lines by what they are: headings, entries, quotations, code, and the gaps between. */
export function drawLines(isMarkdown: boolean): Extension {
  return ViewPlugin.fromClass(
    class {
      decorations: DecorationSet;

      constructor(view: EditorView) {
        this.decorations = lineDecorations(view, isMarkdown);
      }

      update(update: ViewUpdate): void {
        const isParsed = syntaxTree(update.state) !== syntaxTree(update.startState);
        if (update.docChanged || update.viewportChanged || update.selectionSet || isParsed)
          this.decorations = lineDecorations(update.view, isMarkdown);
      }
    },
    {
      decorations: (plugin) => plugin.decorations,
      eventHandlers: {
        // A click on a box does what it shows; the keyboard writes the letter.
        mousedown(event, view) {
          const box = event.target instanceof Element ? event.target.closest('.cm-box') : null;
          if (!box) return false;
          event.preventDefault();
          return toggleTask(view, view.posAtDOM(box));
        },
      },
    },
  );
}

/** Ticks the task of a line, or takes the tick away. */
function toggleTask(view: EditorView, at: number): boolean {
  const line = view.state.doc.lineAt(at);
  const found = /^(\s*(?:[-*+]|\d+[.)])[ \t]+\[)([ xX])\]/.exec(line.text);
  if (!found) return false;
  const from = line.from + (found[1]?.length ?? 0);
  view.dispatch({
    changes: { from, to: from + 1, insert: found[2] === ' ' ? 'x' : ' ' },
    userEvent: 'input',
  });
  return true;
}

class Host extends WidgetType {
  readonly host: HTMLElement;

  constructor(host: HTMLElement) {
    super();
    this.host = host;
  }

  override eq(other: Host): boolean {
    return other.host === this.host;
  }

  override toDOM(): HTMLElement {
    return this.host;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

/** Sets the first heading as the title of the note, with what stands below a title under it. */
export function drawTitle(host: HTMLElement): Extension {
  const draw = (state: EditorState): DecorationSet => {
    const from = frontEnd(state.doc);
    const line = state.doc.lineAt(from);
    ensureSyntaxTree(state, line.to, 20);
    const isTitle = /^#{1,6}[ \t]/.test(line.text);
    const facts = Decoration.widget({ widget: new Host(host), block: true, side: isTitle ? 1 : -1 });
    return Decoration.set(
      isTitle
        ? [Decoration.line({ class: 'cm-title' }).range(line.from), facts.range(line.to)]
        : [facts.range(line.from)],
    );
  };
  return StateField.define<DecorationSet>({
    create: draw,
    update: (drawn, { docChanged, state }) => (docChanged ? draw(state) : drawn),
    provide: (field) => EditorView.decorations.from(field),
  });
}
