/** What stands in one folder of a namespace, in the order in which it is shown. */
export interface FolderContent {
  /** The folder: `Projects/`; empty at the top. */
  path: string;
  /** Beginnings of keys: `Projects/`. */
  folders: readonly string[];
  keys: readonly string[];
  /** Whether there is more than anybody would scroll through. */
  isCut: boolean;
}

/** A line of the tree. `position` of `siblings` in its folder, from 1; `depth` from 0. */
export interface TreeRow {
  kind: 'folder' | 'key';
  /** A key, or the beginning that all keys of a folder have: `Projects/`. */
  path: string;
  name: string;
  /** The folder that it stands in; empty at the top. */
  parent: string;
  depth: number;
  position: number;
  siblings: number;
  isOpen: boolean;
}

export const DELIMITER = '/';

/** The folder that a key or a folder stands in: `Projects/` of `Projects/Reverie.md`; empty at the top. */
export function parentOf(path: string): string {
  // From its start, `lastIndexOf` looks at the start.
  return path.length < 2 ? '' : path.slice(0, path.lastIndexOf(DELIMITER, path.length - 2) + 1);
}

/** All folders that a key stands in, from the top: `a/` and `a/b/` of `a/b/c`. */
export function foldersAbove(key: string): string[] {
  return [...key.matchAll(/\//g)].map(({ index }) => key.slice(0, index + 1)).filter((path) => path !== key);
}

/** A key or folder as it is called within its folder. */
export function baseOf(path: string): string {
  return path.slice(parentOf(path).length);
}

/** The same for people: without the slash of a folder, and the ending that every note of a vault has. */
export function nameOf(path: string): string {
  const base = baseOf(path);
  if (base.length > 1 && base.endsWith(DELIMITER)) return base.slice(0, -1);
  return base.length > 3 ? base.replace(/\.md$/iu, '') : base;
}

/** The order of names in a folder: 9 before 10, whatever the case. */
export function inOrder(paths: readonly string[], collator: Intl.Collator): string[] {
  return paths
    .map((path) => ({ path, name: nameOf(path) }))
    .sort((one, other) => collator.compare(one.name, other.name))
    .map(({ path }) => path);
}

/** The lines of the tree that are seen: what stands in the open folders that are known. */
export function rowsOf(content: ReadonlyMap<string, FolderContent>, open: ReadonlySet<string>): TreeRow[] {
  const rows: TreeRow[] = [];
  const add = (parent: string, depth: number) => {
    const { folders, keys } = content.get(parent) ?? { folders: [], keys: [] };
    const siblings = folders.length + keys.length;
    const row = (path: string, at: number): TreeRow => ({
      kind: at < folders.length ? 'folder' : 'key',
      path,
      name: nameOf(path),
      parent,
      depth,
      position: at + 1,
      siblings,
      isOpen: at < folders.length && open.has(path),
    });
    for (const [at, path] of folders.entries()) {
      rows.push(row(path, at));
      if (open.has(path)) add(path, depth + 1);
    }
    for (const [at, path] of keys.entries()) rows.push(row(path, folders.length + at));
  };
  add('', 0);
  return rows;
}

/** Whether something can be moved into a folder: not where it is, and no folder into itself. */
export function canGoInto({ kind, path, parent }: TreeRow, folder: string): boolean {
  return folder !== parent && !(kind === 'folder' && folder.startsWith(path));
}
