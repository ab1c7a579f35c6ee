import { basename, dirname, extname } from 'node:path/posix';
import { leftOut, measureBundle, openBundle } from '../files/bundle.ts';
import { memoriesOfNote, metadataOf, noteOf, stemOf } from '../notes/note.ts';
import { namespaceOf, type SourceReader } from '../reader.ts';

function isText(path: string): boolean {
  return ['.md', '.markdown', '.txt'].includes(extname(path).toLowerCase());
}

/** The notes of an export, each in a folder of its own name beside its pictures, by the path that it has without that folder. */
function keysOf(paths: readonly string[]): Map<string, string> {
  const keys = new Map<string, string>();
  // A name that a note has as it stands is nobody else's.
  const taken = new Set(paths);
  for (const path of paths.filter(isText)) {
    const folder = dirname(path);
    const isAlone = basename(folder) === stemOf(path);
    const short = isAlone ? path.slice(0, -basename(path).length - 1).concat(extname(path)) : path;
    const key = taken.has(short) ? path : short;
    taken.add(key);
    keys.set(path, key);
  }
  return keys;
}

/** Apple Notes, as Markdown or text: a folder or a zip archive in which each note stands alone or in a folder of its own name. */
export const appleNotesReader: SourceReader = {
  format: 'apple-notes',
  measure: measureBundle,
  async *read(path, options) {
    const bundle = await openBundle('apple-notes', path, options);
    const keys = keysOf(bundle.paths);
    yield* bundle.skipped;
    for (const file of bundle.paths) if (!keys.has(file)) yield leftOut(file);
    for await (const read of bundle.read((file) => keys.has(file))) {
      if ('kind' in read) {
        yield read;
        continue;
      }
      const key = keys.get(read.path) ?? read.path;
      const note = noteOf(read.text, key);
      yield* memoriesOfNote(note, read, {
        path: read.path,
        key,
        namespace: namespaceOf(options),
        metadata: metadataOf(note, { format: 'apple-notes', path: read.path }),
        source: { id: `${bundle.root}/${read.path}` },
      });
    }
  },
};
