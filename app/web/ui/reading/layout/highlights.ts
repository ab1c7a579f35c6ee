import { highlighting } from '@reverie/shared/contract/obsidian-marks';
import { cutterOf, isAddress, writtenOf } from './comments.ts';
import type { Node } from './tree.ts';

/** The mark, and links, which may have it in their names. A run of more signs is a line, or one under a heading. */
const MARK = /\[\[[^[\]\n]{1,1200}\]\]|(?<!=)==(?!=)/gu;

/** A remark plugin that lays out `==what is marked==` as Obsidian does: a pair of marks in one paragraph, with no blank within them, none amid a word. */
export function highlighted(source: string) {
  return () => (tree: Node) => {
    if (source.includes('==')) lay(tree);
  };

  function lay(node: Node): void {
    if (!node.children || isAddress(node)) return;
    for (const child of node.children) lay(child);
    const parts = node.children.flatMap((child, at): (Node | Delimiter)[] =>
      child.type === 'text' && child.value?.includes('==') === true
        ? split(child, { isFirst: at === 0, isLast: at === (node.children?.length ?? 0) - 1 })
        : [child],
    );
    if (parts.some((part) => 'text' in part)) node.children = paired(parts);
  }

  /** The text between its marks, and the marks. */
  function split(
    node: Node,
    { isFirst, isLast }: { isFirst: boolean; isLast: boolean },
  ): (Node | Delimiter)[] {
    const { value = '' } = node;
    if (writtenOf(node, source).includes('\\=')) return [node];
    const cut = cutterOf(node, source);
    const parts: (Node | Delimiter)[] = [];
    let from = 0;
    for (const { index, 0: mark } of value.matchAll(MARK)) {
      if (mark !== '==') continue;
      const to = index + mark.length;
      if (index > from) parts.push(cut(from, index));
      // Beside it may stand what is no text, as `==**so**==`.
      const before = value[index - 1] ?? (isFirst ? ' ' : '');
      const after = value[to] ?? (isLast ? ' ' : '');
      parts.push({ text: cut(index, to), ...highlighting(before, after) });
      from = to;
    }
    if (from < value.length) parts.push(cut(from, value.length));
    return parts;
  }
}

interface Delimiter {
  text: Node;
  opens: boolean;
  closes: boolean;
}

/** Each mark that opens with the next one that closes; the others are their text. */
function paired(parts: readonly (Node | Delimiter)[]): Node[] {
  const laid: Node[] = [];
  let open: number | undefined;
  for (const part of parts) {
    if (!('text' in part)) laid.push(part);
    else if (open !== undefined && part.closes) {
      const [, ...children] = laid.splice(open);
      laid.push({ type: 'highlight', children, data: { hName: 'mark' } });
      open = undefined;
    } else {
      if (open === undefined && part.opens) open = laid.length;
      laid.push(part.text);
    }
  }
  return laid;
}
