import type { GraphLink, GraphNode } from '@reverie/shared/contract/search/graph';

/** A memory and those that it hangs together with. */
export interface Hub {
  node: GraphNode;
  others: readonly GraphNode[];
}

/** The memories that links lead to or from, those with the most first. */
export function hubsOf(nodes: readonly GraphNode[], links: readonly GraphLink[]): Hub[] {
  const known = new Map(nodes.map((node) => [node.key, node]));
  const others = new Map<string, Set<GraphNode>>();
  const join = (from: string, to: string) => {
    const node = known.get(to);
    if (node) others.set(from, (others.get(from) ?? new Set()).add(node));
  };
  for (const { from, to } of links) {
    join(from, to);
    join(to, from);
  }
  return nodes
    .flatMap((node) => {
      const own = others.get(node.key);
      return own ? [{ node, others: [...own] }] : [];
    })
    .toSorted((a, b) => b.others.length - a.others.length);
}

/** What a memory is called; its key where it says nothing. */
export function nameOf(node: GraphNode | undefined, key = node?.key ?? ''): string {
  return node === undefined || node.title === '' ? key : node.title;
}
