import { formula } from './formulas.ts';
import { withProperties } from './outlines.ts';
import type { Node } from './tree.ts';

/** Cells of the largest table that is laid out. A short row is filled up to the width of the first, so that 20 kB can name millions. */
const MOST_CELLS = 10_000;
/** Characters that the address of a definition may have in all the places that use it. */
const MOST_REPEATED = 4_000_000;
const HOLDS_BLOCKS = new Set(['root', 'blockquote', 'listItem', 'footnoteDefinition']);
const COMMENT = /^\s*<!--(?!-?>)(?:(?!-->)[\s\S])*-->\s*$/;
/** Nobody wraps lines narrower or wider than this. */
const WRAPS = { from: 45, to: 100 } as const;

/**
 * A remark plugin that keeps the work of later steps within bounds, and turns HTML into text, but for `<br>` and comments. It marks
 * paragraphs whose lines were ended on purpose.
 */
export function bounded(source: string) {
  return () => (tree: Node) => {
    const uses = new Map<string, number>();
    const definitions: Node[] = [];
    walk(tree, (node) => {
      if (node.type === 'definition') definitions.push(node);
      else if (node.identifier !== undefined) uses.set(node.identifier, (uses.get(node.identifier) ?? 0) + 1);
    });
    for (const node of definitions)
      if ((node.url ?? '').length * (uses.get(node.identifier ?? '') ?? 0) > MOST_REPEATED) node.url = '';
    walk(tree, (node) => {
      if (node.children) node.children = node.children.flatMap((child) => within(node, child));
    });

    function within(parent: Node, node: Node): Node[] {
      if (node.type === 'html') return html(parent, node.value ?? '');
      if (node.type === 'inlineMath')
        return [formula(node, written(node), source[node.position?.end.offset ?? 0])];
      if (node.type === 'text' && node.value?.includes('::')) return withProperties(node);
      if (node.type === 'table' && isTooLarge(node)) return [{ type: 'code', value: written(node) }];
      if (node.type === 'paragraph' && keepsLines(written(node)))
        node.data = { hProperties: { className: ['lines'] } };
      return [node];
    }

    function written({ position }: Node): string {
      return source.slice(position?.start.offset, position?.end.offset);
    }
  };
}

function walk(node: Node, visit: (node: Node) => void): void {
  visit(node);
  for (const child of node.children ?? []) walk(child, visit);
}

function html(parent: Node, value: string): Node[] {
  if (COMMENT.test(value)) return [];
  if (/^<br\s*\/?>$/i.test(value)) return [{ type: 'break' }];
  return [HOLDS_BLOCKS.has(parent.type) ? { type: 'code', lang: 'html', value } : { type: 'text', value }];
}

function isTooLarge({ align, children = [] }: Node): boolean {
  return (align?.length ?? 0) * children.length > MOST_CELLS;
}

/**
 * Whether the lines of a paragraph were ended on purpose, as in an address or a poem: the first word of the next one
 * would have had room. Lines that were wrapped at some width are one paragraph.
 */
export function keepsLines(paragraph: string): boolean {
  const lines = paragraph.split('\n').map((line) => line.replace(/^[\s>]+/, '').trimEnd());
  if (lines.length < 2) return false;
  const widest = Math.max(...lines.map((line) => line.length));
  if (widest < WRAPS.from || widest > WRAPS.to) return true;
  return lines.slice(1).some((line, at) => {
    const before = lines[at] ?? '';
    return before.length + 1 + line.split(/\s/, 1).join('').length <= widest - 3;
  });
}
