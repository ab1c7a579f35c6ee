import type { GraphNode } from '@reverie/shared/contract/search/graph';

/** Memories that stand together under a name which somebody gave. */
export interface Group {
  id: string;
  kind: 'folder' | 'tag';
  name: string;
  keys: readonly string[];
}

/** The folders and tags that join some of the memories, the largest first. One that has all of them joins nothing. */
export function groupsOf(nodes: readonly GraphNode[]): Group[] {
  const groups = new Map<string, Omit<Group, 'keys'> & { keys: string[] }>();
  const add = (kind: Group['kind'], name: string, key: string) => {
    const id = `${kind} ${name}`;
    const group = groups.get(id) ?? { id, kind, name, keys: [] };
    group.keys.push(key);
    groups.set(id, group);
  };
  for (const { key, tags } of nodes) {
    const folder = key.slice(0, Math.max(0, key.lastIndexOf('/')));
    if (folder !== '') add('folder', folder, key);
    for (const tag of new Set(tags)) add('tag', tag, key);
  }
  return [...groups.values()]
    .filter(({ keys }) => keys.length > 1 && keys.length < nodes.length)
    .toSorted((a, b) => b.keys.length - a.keys.length || a.id.localeCompare(b.id));
}

/** A group as it is told: `runbooks`, `#adr`. */
export function calledAs({ kind, name }: Group): string {
  return kind === 'tag' ? `#${name}` : name;
}
