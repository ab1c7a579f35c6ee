/** A note of a vault. */
export interface VaultNote {
  readonly key: string;
  readonly value: string;
}

/** A path as a list of folders and a name, which differ neither by case nor by how a letter is composed. */
function segmentsOf(path: string): string[] {
  const segments = path.split('/').map((part) => part.trim().normalize('NFC').toLocaleLowerCase('en'));
  const last = segments.pop() ?? '';
  return [...segments, last.endsWith('.md') && last !== '.md' ? last.slice(0, -3) : last];
}

const isSame = (one: readonly string[] | undefined, other: readonly string[]) =>
  one !== undefined && one.length === other.length && one.every((part, at) => part === other[at]);

const endsWith = (path: readonly string[], end: readonly string[]) =>
  path.length > end.length && isSame(path.slice(path.length - end.length), end);

/**
 * Where a link leads by what Obsidian's help says of internal links, a second time and in another way than `note-names.ts`, to be compared
 * with it: "absolute path in vault", "relative path to file", "shortest path when possible" (a name that ends the path; of several the
 * nearest), and then aliases and titles, which we take besides. Each note gets a rank, and the lowest wins.
 */
export function obsidianLeads(
  vault: readonly VaultNote[],
  from: string,
  { form, target }: { form: 'wiki' | 'markdown'; target: string },
): string | undefined {
  if (target === '') return undefined;
  const folder = segmentsOf(`${from}/x`).slice(0, -2);
  const written = segmentsOf(target);
  const isAbsolute = written[0] === '';
  const isDotted = written[0] === '.' || written[0] === '..';
  const relative = walked(folder, written);
  const plain = isAbsolute ? written.slice(1) : written;
  const ranked = vault.flatMap((note) => {
    const rank = rankOf(note);
    return rank === undefined ? [] : [{ key: note.key, rank }];
  });
  ranked.sort((a, b) => a.rank - b.rank || a.key.length - b.key.length || (a.key < b.key ? -1 : 1));
  return ranked[0]?.key;

  function rankOf({ key, value }: VaultNote): number | undefined {
    const path = segmentsOf(key);
    if (isAbsolute && isSame(path, plain)) return 0;
    if (isDotted && isSame(relative, path)) return 0;
    if (!isAbsolute && !isDotted) {
      if (isSame(path, written)) return form === 'wiki' ? 0 : 1;
      if (isSame(relative, path)) return form === 'wiki' ? 1 : 0;
      if (endsWith(path, written))
        return folder.length > 0 &&
          path.length > folder.length &&
          isSame(path.slice(0, folder.length), folder)
          ? 2
          : 3;
    }
    if (form === 'markdown') return undefined;
    const [, alias] = /^---\naliases: \[(.*)\]\n---/u.exec(value) ?? [];
    const [, title] = /^# (.*)$/mu.exec(value) ?? [];
    const isCalled = (name: string | undefined) =>
      name !== undefined && isSame(segmentsOf(name), segmentsOf(target));
    if (isCalled(alias)) return 4;
    return isCalled(title ?? (value === 'Text.' ? 'Text.' : undefined)) ? 5 : undefined;
  }
}

/** Where a path leads from a folder; undefined where it leads out of the vault. */
function walked(folder: readonly string[], path: readonly string[]): string[] | undefined {
  const at = [...folder];
  for (const part of path) {
    if (part === '..') {
      if (at.pop() === undefined) return undefined;
    } else if (part !== '.' && part !== '') at.push(part);
  }
  return at;
}
