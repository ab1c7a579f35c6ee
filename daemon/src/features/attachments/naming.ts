import {
  type FindNamed,
  foldName,
  lastPart,
  type Leading,
  type NamedNote,
  resolveLink,
} from '../../language/note-names.ts';

/** Finds the paths of files that end with a name, which is folded. */
export type FindFiles = (name: string) => readonly string[];

/** The file to which a link leads, as links lead to notes; of names that differ in case alone the one that is written so. */
export function resolveFile({ form, target }: Leading, from: string, find: FindFiles): string | undefined {
  const name = lastPart(target.normalize('NFC'));
  const exactly = namedBy((folded) => find(folded).filter((path) => lastPart(path) === name));
  const anyhow = namedBy(find);
  // The key of a note may say less than the path of its file, so that `../` leads out of everything.
  const inner = target.replace(/^(?:\.{1,2}\/)+/u, '');
  const asWritten = { form, target, part: '' };
  const within = { form: 'wiki', target: inner, part: '' } as const;
  return (
    resolveLink(asWritten, from, exactly) ??
    resolveLink(asWritten, from, anyhow) ??
    (inner === target ? undefined : resolveLink(within, from, anyhow))
  )?.key;
}

/** Names files as notes are named. */
function namedBy(find: FindFiles): FindNamed {
  return (name) =>
    find(name).map((path): NamedNote => ({ id: 0, key: path, path: foldName(path), kind: 'file' }));
}

/** Finds files of a list by their names. */
export function filesByName(paths: Iterable<string>): FindFiles {
  const byName = new Map<string, string[]>();
  for (const path of paths) {
    const name = lastPart(foldName(path));
    const same = byName.get(name);
    if (same) same.push(path);
    else byName.set(name, [path]);
  }
  return (name) => byName.get(name) ?? [];
}
