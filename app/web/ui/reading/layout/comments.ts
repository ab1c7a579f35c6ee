import type { Node } from './tree.ts';

/** A comment of Obsidian begins and ends with it. */
const MARK = '%%';
/** What stays where all in it is hidden: without its cell a row would be another one. */
const STAYS = new Set(['root', 'tableRow', 'tableCell']);

/** A remark plugin that takes out `%% comments %%`, over lines and blocks, too. In code the mark is none, and one without an end says itself. */
export function uncommented(source: string) {
  return () => (tree: Node) => {
    if (!source.includes(MARK)) return;
    let left = marksIn(tree);
    // The last of an odd number of them begins nothing.
    left -= left % 2;
    let isHidden = false;
    take(tree);

    function take(node: Node): void {
      node.children = (node.children ?? []).flatMap(shown);
    }

    function shown(node: Node): Node[] {
      if (node.type === 'text') return textsOf(node);
      const wasHidden = isHidden;
      const before = left;
      if (node.children) take(node);
      if (STAYS.has(node.type)) return [node];
      const isTouched = wasHidden || left !== before;
      if (!node.children) return wasHidden ? [] : [node];
      return isTouched && isEmpty(node) ? [] : [node];
    }

    function textsOf(node: Node): Node[] {
      const { value = '' } = node;
      const begins = hasMark(node, source);
      if (!isHidden && (left === 0 || !begins)) return [node];
      const cut = cutterOf(node, source);
      const texts: Node[] = [];
      let from = 0;
      const keep = (to: number) => {
        if (!isHidden && to > from) texts.push(cut(from, to));
      };
      for (let at = begins ? value.indexOf(MARK) : -1; at >= 0 && left > 0;) {
        keep(at);
        from = at + MARK.length;
        // A line that was a comment alone is none.
        if (isHidden && value[from] === '\n' && (texts.at(-1)?.value ?? '\n').endsWith('\n')) from += 1;
        isHidden = !isHidden;
        left -= 1;
        at = value.indexOf(MARK, from);
      }
      keep(value.length);
      return texts;
    }
  };

  function marksIn(node: Node): number {
    if (node.type === 'text') return hasMark(node, source) ? (node.value?.split(MARK).length ?? 1) - 1 : 0;
    return (node.children ?? []).reduce((sum, child) => sum + marksIn(child), 0);
  }
}

/** Whether a text has a mark that is not escaped. */
function hasMark(node: Node, source: string): boolean {
  return node.value?.includes(MARK) === true && !writtenOf(node, source).includes('\\%');
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
