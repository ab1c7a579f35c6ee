import { extname } from 'node:path/posix';
import { sha256 } from '../fit.ts';
import { memoriesOfNote, metadataOf, noteOf } from '../notes/note.ts';
import { filesOf, measureFiles, placesOfFiles, readFiles, type FileRead } from '../files/note-files.ts';
import { originOf, rootId } from '../files/origin.ts';
import { isOwnFile, readOwnFile, withOwnSource } from './own-file.ts';
import { namespaceOf, skip, type ReadItem, type SourceReader, type ReadOptions } from '../reader.ts';
import { readSideFile, withSideLines, type SideFile } from './side-file.ts';

const ENDINGS = new Set(['.md', '.markdown', '.mdx', '.txt', '.rst']);

/** Tells whether the name of a file is one of notes, packed or not. */
export function isNote(path: string): boolean {
  return ENDINGS.has(extname(path.replace(/\.gz$/i, '')).toLowerCase());
}

/**
 * Folders of text files, and what `export --format markdown` wrote, with what its side file knows of them. The key is the path below the
 * folder, the value is the text with its frontmatter, byte for byte; the frontmatter, the title and the tags are metadata too.
 */
export const markdownReader: SourceReader = {
  format: 'markdown',
  measure: (path, options) => measureFiles(path, noteFilter(options)),
  places: (path, options) => placesOfFiles('markdown', path, options),
  async *read(path, options) {
    const origin = await originOf(path);
    const id = await rootId(origin.root, options);
    const side = origin.kind === 'folder' ? await readSideFile(origin.root) : undefined;
    for (const skipped of side?.skipped ?? []) yield { kind: 'skipped', skipped };
    const isNoteHere = noteFilter(options);
    const includes = (path: string) => isNoteHere(path) || side?.lines.has(path) === true;
    for await (const read of readFiles(filesOf(origin, includes, options), options))
      if ('kind' in read) yield read;
      else
        yield* side ? memoriesBeside(read, { side, root: id, options }) : memoriesOfFile(read, id, options);
  },
};

function* memoriesBeside(
  read: FileRead,
  { side, root, options }: { side: SideFile; root: string; options: ReadOptions },
): Generator<ReadItem> {
  const lines = side.lines.get(read.path);
  const { namespace } = options;
  const later = side.namespace === undefined ? {} : { defaultNamespace: side.namespace };
  const found = memoriesOfFile(read, root, { ...options, ...later });
  if (!lines || isOwnFile(read.file.bytes)) yield* found;
  else
    yield* withSideLines(found, lines, {
      hash: sha256(read.file.bytes),
      ...(namespace !== undefined && { namespace }),
    });
}

/** The memories of one file of a folder: `root` is how source ids name the folder. */
export function* memoriesOfFile(read: FileRead, root: string, options: ReadOptions): Generator<ReadItem> {
  if (isOwnFile(read.file.bytes)) yield ownMemoryOf(read, options);
  else yield* noteMemoriesOf(read, root, options);
}

function noteFilter({ allText }: ReadOptions): (path: string) => boolean {
  return allText ? () => true : isNote;
}

function ownMemoryOf({ path, file }: FileRead, { namespace }: ReadOptions): ReadItem {
  const own = readOwnFile(file.text);
  if (own.problem !== undefined) return skip(path, 'malformed', own.problem);
  const memory = withOwnSource(own.memory);
  return { kind: 'memory', memory: namespace === undefined ? memory : { ...memory, namespace } };
}

function* noteMemoriesOf({ path, file }: FileRead, root: string, options: ReadOptions): Generator<ReadItem> {
  const note = noteOf(file.text, path);
  yield* memoriesOfNote(note, file, {
    path,
    key: path,
    namespace: namespaceOf(options),
    metadata: metadataOf(note, { format: 'markdown', path }),
    source: { id: `markdown:${root}/${path}`, hash: sha256(file.bytes) },
  });
}
