import path from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { readRegular } from '@reverie/shared/files/regular-file';
import type { Ignores } from '@reverie/memory-formats/reader';
import { isCode } from '@reverie/memory-formats/files/text-file';
import { isIgnoredFolder } from '@reverie/memory-formats/files/walk';

const FILES = ['.gitignore', '.reverieignore'];

/** Whether a file holds rules of what is ignored. */
export function isIgnoreFile(name: string): boolean {
  return FILES.includes(path.basename(name));
}

/** What the `.gitignore` and `.reverieignore` of a folder and those below it pass over; deeper ones decide first. */
export interface Ignoring {
  ignores: Ignores;
  /** Reads the rules anew. */
  reload(): void;
}

/** Reads the rules of a folder when it is first met; `unreadable` is told of rule files that cannot be read, which then ignore nothing. */
export function createIgnoring(root: string, unreadable: (path: string, error: unknown) => void): Ignoring {
  const rules = new Map<string, Ignore | undefined>();

  function rulesIn(folder: string): Ignore | undefined {
    if (rules.has(folder)) return rules.get(folder);
    let found: Ignore | undefined;
    for (const name of FILES) {
      try {
        const text = readRegular(path.join(root, folder, name)).toString('utf8');
        found = (found ?? ignore({ ignorecase: process.platform !== 'linux' })).add(text);
      } catch (error) {
        if (!isCode(error, 'ENOENT') && !isCode(error, 'ENOTDIR'))
          unreadable(folder === '' ? name : `${folder}/${name}`, error);
      }
    }
    rules.set(folder, found);
    return found;
  }

  /** What the rules from the deepest folder up say of one path, its parents aside. */
  function decided(parts: readonly string[], isFolder: boolean): boolean {
    for (let depth = parts.length - 1; depth >= 0; depth -= 1) {
      const below = parts.slice(depth).join('/') + (isFolder ? '/' : '');
      const said = rulesIn(parts.slice(0, depth).join('/'))?.test(below);
      if (said?.ignored) return true;
      if (said?.unignored) return false;
    }
    return false;
  }

  return {
    ignores(relative, isFolder) {
      const parts = relative.split('/');
      for (let length = 1; length <= parts.length; length += 1) {
        const isInner = length < parts.length || isFolder;
        if (isInner && isIgnoredFolder(parts[length - 1] ?? '')) return true;
        if (decided(parts.slice(0, length), isInner)) return true;
      }
      return false;
    },
    reload: () => rules.clear(),
  };
}
