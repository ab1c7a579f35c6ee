import type { Node } from './tree.ts';

const FENCE = /^\s{0,3}(?:[-*+] )?(`{3,}|~{3,})/u;
const ITEM = /^(?:[-*+]|\d{1,9}[.)])(?:\s|$)/u;

/**
 * An outline as Markdown reads one: blocks that are indented by tabs below something that is no list, as Logseq writes them below the first
 * line of a page, would be code. Each of their outermost tabs becomes a blank, so that every place in the text stays where it is.
 */
export function outdented(body: string): string {
  if (!/^\t+[-*+][ \t]/mu.test(body)) return body;
  let fence = '';
  /** Tabs of the outermost block; undefined where a list is open, or no outline. */
  let outer: number | undefined;
  let hasParent = false;
  return body
    .split('\n')
    .map((line) => {
      const mark = FENCE.exec(line)?.[1] ?? '';
      const isInFence = fence !== '';
      if (!isInFence) fence = mark;
      else if (mark.startsWith(fence)) fence = '';
      if (line.trim() === '') return line;
      const tabs = /^\t*/u.exec(line)?.[0].length ?? 0;
      if (tabs === 0) {
        if (!/^ /u.test(line) && !isInFence) [hasParent, outer] = [ITEM.test(line), undefined];
        return line;
      }
      if (!hasParent && outer === undefined && !isInFence && /^\t+[-*+][ \t]/u.test(line))
        outer = Math.min(tabs, 3);
      return outer === undefined
        ? line
        : ' '.repeat(Math.min(outer, tabs)) + line.slice(Math.min(outer, tabs));
    })
    .join('\n');
}

const PROPERTY = /^([\p{L}][\p{L}\p{N}_-]{0,40})::(?:[ \t]+(.*))?$/u;
/** Says how an outliner keeps a block, and nothing to a reader. */
const KEPT = new Set(['id', 'collapsed', 'logseq.order-list-type']);

/** A text with its `name:: value` lines as such: the name stands out. */
export function withProperties(node: Node): Node[] {
  const lines = (node.value ?? '').split('\n');
  if (!lines.some((line) => PROPERTY.test(line))) return [node];
  const shown = lines.filter((line) => !KEPT.has(PROPERTY.exec(line)?.[1] ?? ''));
  return shown.flatMap((line, at): Node[] => {
    const [, name, value = ''] = PROPERTY.exec(line) ?? [];
    const ending: Node[] = at < shown.length - 1 ? [{ type: 'break' }] : [];
    if (name === undefined) return [{ type: 'text', value: line }, ...ending];
    return [
      { type: 'strong', children: [{ type: 'text', value: `${name}:` }] },
      { type: 'text', value: ` ${value}` },
      ...ending,
    ];
  });
}
