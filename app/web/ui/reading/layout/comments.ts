import { flanking, pairedComments, type CommentSign } from '@reverie/shared/contract/obsidian-marks';
import type { Node } from './tree.ts';

/** A comment of Obsidian begins and ends with it. */
const MARK = '%%';
/** Characters in which a line begins that a mark begins, with what it is indented by. */
const NEAR = 20;
/** What stays where all in it is hidden: without its cell a row would be another one. */
const STAYS = new Set(['root', 'tableRow', 'tableCell']);

/** What has one text, in which a comment ends that does not begin a line. */
const BLOCKS = new Set(['paragraph', 'heading', 'tableCell']);

/** A mark in a text. */
interface Mark extends CommentSign {
  text: Node;
  at: number;
}

/**
 * A remark plugin that takes out `%% comments %%`: each within its paragraph or cell, over blocks where it begins a line. In code and amid a
 * word the mark is none, and one without an end says itself.
 */
export function uncommented(source: string) {
  return () => (tree: Node) => {
    if (!source.includes(MARK)) return;
    const paired = pairedComments(marksIn(tree, { block: tree, isAddress: false })).flat();
    const marks = Map.groupBy(paired, ({ text }) => text);
    let passed = 0;
    let isHidden = false;
    if (marks.size > 0) take(tree);

    function take(node: Node): void {
      node.children = (node.children ?? []).flatMap(shown);
    }

    function shown(node: Node): Node[] {
      if (node.type === 'text') return textsOf(node);
      const wasHidden = isHidden;
      const before = passed;
      if (node.children) take(node);
      if (STAYS.has(node.type)) return [node];
      const isTouched = wasHidden || passed !== before;
      if (!node.children) return wasHidden ? [] : [node];
      return isTouched && isEmpty(node) ? [] : [node];
    }

    function textsOf(node: Node): Node[] {
      const { value = '' } = node;
      const places = marks.get(node) ?? [];
      if (!isHidden && places.length === 0) return [node];
      const cut = cutterOf(node, source);
      const texts: Node[] = [];
      let from = 0;
      const keep = (to: number) => {
        if (!isHidden && to > from) texts.push(cut(from, to));
      };
      for (const { at } of places) {
        keep(at);
        from = at + MARK.length;
        // A line that was a comment alone is none.
        if (isHidden && value[from] === '\n' && (texts.at(-1)?.value ?? '\n').endsWith('\n')) from += 1;
        isHidden = !isHidden;
        passed += 1;
      }
      keep(value.length);
      return texts;
    }
  };

  function marksIn(node: Node, around: { block: Node; isAddress: boolean }): Mark[] {
    if (node.type === 'text') return hasMark(node, source) ? marksOf(node, around) : [];
    const block = BLOCKS.has(node.type) ? node : around.block;
    return (node.children ?? []).flatMap((child) => marksIn(child, { block, isAddress: isAddress(node) }));
  }

  function marksOf(text: Node, around: { block: Node; isAddress: boolean }): Mark[] {
    const { value = '' } = text;
    const start = text.position?.start.offset ?? 0;
    const marks: Mark[] = [];
    for (let at = value.indexOf(MARK); at >= 0; at = value.indexOf(MARK, at + MARK.length)) {
      // An address has it as a sign of its own, but for one right behind it.
      if (around.isAddress && at + MARK.length < value.length) continue;
      // What is beside a text is in the source: a sign of Markdown, or the end of a line.
      const before = value[at - 1] ?? source[start - 1] ?? '';
      const after = value[at + MARK.length] ?? source[text.position?.end.offset ?? source.length] ?? '';
      const line = `${at < NEAR ? source.slice(Math.max(0, start - NEAR), start) : ''}${value.slice(Math.max(0, at - NEAR), at)}`;
      marks.push({
        text,
        at,
        block: around.block,
        ...flanking(before, after),
        spans: around.block.type !== 'tableCell' && /(?:^|\n)[ \t>]*$/u.test(line),
        isAfterDigit: /\p{N}/u.test(before),
      });
    }
    return marks;
  }
}

/** Whether a text has a mark that is not escaped. */
function hasMark(node: Node, source: string): boolean {
  return node.value?.includes(MARK) === true && !writtenOf(node, source).includes('\\%');
}

/** Whether a link is an address that stands in the text. */
export function isAddress({ type, url = '', children: [only] = [] }: Node): boolean {
  return type === 'link' && only?.value !== undefined && url.endsWith(only.value);
}

function isEmpty({ children = [] }: Node): boolean {
  return children.every(({ type, value = '' }) => type === 'text' && value.trim() === '');
}

/** How a node is written; its value where it has no place. */
export function writtenOf({ value = '', position }: Node, source: string): string {
  return position ? source.slice(position.start.offset, position.end.offset) : value;
}

/** Cuts parts out of a text, which know their places where it is written as it reads. */
export function cutterOf({ value = '', position }: Node, source: string): (from: number, to: number) => Node {
  const at = position?.start.offset;
  const isVerbatim = at !== undefined && source.startsWith(value, at);
  return (from, to) => ({
    type: 'text',
    value: value.slice(from, to),
    // A place is taken for one where it has line and column, too, which nobody asks for.
    ...(isVerbatim && {
      position: {
        start: { ...position?.start, offset: at + from },
        end: { ...position?.end, offset: at + to },
      },
    }),
  });
}
