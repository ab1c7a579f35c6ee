import {
  compareKeys,
  type FindNamed,
  folderOf,
  foldName,
  joined,
  lastPart,
  type Leading,
  type NamedNote,
  resolveLink,
} from '../../language/notes/note-names.ts';

/** Files of one name that are looked at, as of notes. */
const MOST_NAMED = 2_000;

/** The path of the file to which a link leads, as links lead to notes; of names that differ in case alone the one that is written so. */
export function resolveFile({ form, target }: Leading, from: string, named: FindNamed): string | undefined {
  const name = lastPart(target.normalize('NFC'));
  const exactly: FindNamed = (folded) => named(folded).filter(({ key }) => lastPart(key) === name);
  const inner = innerOf(target);
  const asWritten = { form, target, part: '' };
  const within = { form: 'wiki', target: inner, part: '' } as const;
  return (
    resolveLink(asWritten, from, exactly) ??
    resolveLink(asWritten, from, named) ??
    (inner === target ? undefined : resolveLink(within, from, named))
  )?.key;
}

/** A target without its way up: the key of a note may say less than the path of its file, so that `../` leads out of everything. */
function innerOf(target: string): string {
  return target.replace(/^(?:\.{1,2}\/)+/u, '');
}

/** A file as links find it: by its path, as a note is. */
export function fileNamed(path: string): NamedNote {
  return { id: 0, key: path, path: foldName(path), kind: 'file' };
}

/** Finds the path of the file to which a link leads that stands in a note's own file. */
export type ResolveFile = (link: Leading, from: string) => string | undefined;

/**
 * Makes what finds files of a list, as `resolveFile` does among all that are called so: it is shown the few that may be meant, so that a link
 * takes as long where thousands are called alike.
 */
export function createFileResolver(paths: Iterable<string>): ResolveFile {
  const byName = new Map<string, NamedNote[]>();
  for (const path of paths) {
    const file = fileNamed(path);
    const name = lastPart(file.path);
    const same = byName.get(name);
    if (!same) byName.set(name, [file]);
    else if (same.length < MOST_NAMED) same.push(file);
  }
  const places = new Map<string, Places>();
  function placesOf(name: string): Places | undefined {
    const files = byName.get(name);
    if (!files) return undefined;
    const known = places.get(name) ?? createPlaces(files);
    places.set(name, known);
    return known;
  }
  return (link, from) => {
    const written = lastPart(link.target.normalize('NFC'));
    const folder = folderOf(from).normalize('NFC').toLowerCase();
    const meant = new Set<NamedNote>();
    for (const target of [link.target, innerOf(link.target)]) {
      const path = foldName(target);
      for (const best of placesOf(lastPart(path))?.around(path, folder) ?? [])
        for (const file of [best?.get(ANY), best?.get(written)]) if (file) meant.add(file);
    }
    return resolveFile(link, from, (name) => [...meant].filter(({ path }) => lastPart(path) === name));
  };
}

/** The file that is meant of some, by its name as it is written, and whatever that is. */
type Best = Map<string, NamedNote>;
const ANY = '';

/** Folders deep in which a file is looked for by the end of its path; a deeper one is found by its whole path. */
const DEEPEST = 32;

/** Where files lie that are called the same. */
interface Places {
  /** The best at a path, from the root and from a folder, and of those whose path ends so: all, and those below the folder. */
  around(path: string, folder: string): (Best | undefined)[];
}

function createPlaces(files: readonly NamedNote[]): Places {
  const whole = new Map<string, Best>();
  for (const file of files) put(whole, file.path, file);
  /** By how many parts an end has, and the end. */
  const ends = new Map<number, Map<string, NamedNote[]>>();
  /** Of the files with an end, by a folder above them; the empty one is above all. */
  const below = new Map<string, Map<string, Best>>();

  function withEnd(end: string): readonly NamedNote[] {
    const count = end.split('/').length;
    if (count > DEEPEST) return [];
    let known = ends.get(count);
    if (!known) {
      known = Map.groupBy(
        files.filter(({ path }) => path.split('/').length > count),
        ({ path }) => path.split('/').slice(-count).join('/'),
      );
      ends.set(count, known);
    }
    return known.get(end) ?? [];
  }

  function foldersAbove(end: string): Map<string, Best> {
    const known = below.get(end);
    if (known) return known;
    const made = new Map<string, Best>();
    for (const file of withEnd(end)) {
      put(made, '', file);
      const folders = folderOf(file.path).split('/').slice(0, DEEPEST);
      for (const count of folders.keys()) put(made, folders.slice(0, count + 1).join('/'), file);
    }
    if (made.size > 0) below.set(end, made);
    return made;
  }

  return {
    around(path, folder) {
      const relative = joined(folder, path);
      const above = foldersAbove(path);
      return [
        whole.get(path.replace(/^\/+/u, '')),
        relative === undefined ? undefined : whole.get(relative),
        above.get(folder),
        above.get(''),
      ];
    },
  };
}

function put(places: Map<string, Best>, place: string, file: NamedNote): void {
  const best = places.get(place) ?? new Map<string, NamedNote>();
  places.set(place, best);
  for (const name of [ANY, lastPart(file.key)]) {
    const other = best.get(name);
    if (!other || compareKeys(file.key, other.key) < 0) best.set(name, file);
  }
}
