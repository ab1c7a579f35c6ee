import {
  type FindNamed,
  foldName,
  lastPart,
  type Leading,
  type NamedNote,
  resolveLink,
} from '../../language/note-names.ts';

/** Files of one name that are looked at, as of notes. */
const MOST_NAMED = 2_000;

/** The path of the file to which a link leads, as links lead to notes; of names that differ in case alone the one that is written so. */
export function resolveFile({ form, target }: Leading, from: string, named: FindNamed): string | undefined {
  const name = lastPart(target.normalize('NFC'));
  const exactly: FindNamed = (folded) => named(folded).filter(({ key }) => lastPart(key) === name);
  // The key of a note may say less than the path of its file, so that `../` leads out of everything.
  const inner = target.replace(/^(?:\.{1,2}\/)+/u, '');
  const asWritten = { form, target, part: '' };
  const within = { form: 'wiki', target: inner, part: '' } as const;
  return (
    resolveLink(asWritten, from, exactly) ??
    resolveLink(asWritten, from, named) ??
    (inner === target ? undefined : resolveLink(within, from, named))
  )?.key;
}

/** A file as links find it: by its path, as a note is. */
export function fileNamed(path: string): NamedNote {
  return { id: 0, key: path, path: foldName(path), kind: 'file' };
}

/** Finds files of a list by their names. */
export function filesByName(paths: Iterable<string>): FindNamed {
  const byName = new Map<string, NamedNote[]>();
  for (const path of paths) {
    const file = fileNamed(path);
    const name = lastPart(file.path);
    const same = byName.get(name);
    if (!same) byName.set(name, [file]);
    else if (same.length < MOST_NAMED) same.push(file);
  }
  return (name) => byName.get(name) ?? [];
}
