import { extname } from 'node:path/posix';
import { join } from 'node:path';
import { statSync } from 'node:fs';
import { memoriesOf } from '../draft.ts';
import { sha256 } from '../fit.ts';
import { metadataOf, noteOf, noteTimes } from '../notes/note.ts';
import { originOf, rootId, type ImportOrigin } from '../files/origin.ts';
import { isOwnFile, readOwnFile, withOwnSource } from './own-file.ts';
import {
  namespaceOf,
  skip,
  type Format,
  type ReadItem,
  type SourceReader,
  type ReadOptions,
  type SourcePlace,
} from '../reader.ts';
import { readSideFile, withSideLines, type SideFile } from './side-file.ts';
import { readTextFile, type TextFile } from '../files/text-file.ts';
import { timeOf } from '../days/times.ts';
import { walk, type WalkedItem } from '../files/walk.ts';

const ENDINGS = new Set(['.md', '.markdown', '.mdx', '.txt', '.rst']);

/** Whether the name of a file is one of notes, packed or not. */
export function isNote(path: string): boolean {
  return ENDINGS.has(extname(path.replace(/\.gz$/i, '')).toLowerCase());
}

/** The files of an origin: the one that was named, whatever its ending, or those below the folder. */
export async function* filesOf(
  origin: ImportOrigin,
  wanted: (path: string) => boolean,
  { ignores }: Pick<ReadOptions, 'ignores'> = {},
): AsyncGenerator<WalkedItem> {
  if (origin.kind === 'folder') yield* walk(origin.root, wanted, ignores);
  else yield { kind: 'file', path: origin.name.normalize('NFC'), file: join(origin.root, origin.name) };
}

/** Where the files of an origin lie, in ids that begin with the format. */
export async function placesOfFiles(
  format: Format,
  path: string,
  options: ReadOptions,
): Promise<SourcePlace[]> {
  const origin = await originOf(path);
  const root = `${format}:${await rootId(origin.root, options)}`;
  // Of one file that is named nothing else is looked at.
  if (origin.kind === 'file')
    return [
      {
        kind: 'files',
        root: `${root}/${origin.name.normalize('NFC')}`,
        folder: join(origin.root, origin.name),
      },
    ];
  return [{ kind: 'files', root, folder: origin.root }];
}

/** The bytes that the files of a folder take, or of the one file. */
export async function measureFiles(path: string, wanted: (path: string) => boolean): Promise<number> {
  let bytes = 0;
  for await (const walked of filesOf(await originOf(path), wanted))
    if (walked.kind === 'file') bytes += sizeOf(walked.file);
  return bytes;
}

/** The bytes of a file; 0 of one that cannot be read, which the reader lists. */
function sizeOf(file: string): number {
  try {
    return statSync(file).size;
  } catch {
    return 0;
  }
}

export interface FileRead {
  path: string;
  file: Extract<TextFile, { kind: 'text' }>;
}

/** Reads each file in turn as text; what cannot be read is listed. */
export async function* readFiles(
  files: AsyncIterable<WalkedItem>,
  options: ReadOptions,
): AsyncGenerator<FileRead | Extract<ReadItem, { kind: 'skipped' }>> {
  for await (const walked of files) {
    if (walked.kind === 'skipped') {
      yield walked;
      continue;
    }
    const file = await readTextFile(walked.file, walked.path, isOwnFile);
    options.onBytes?.(file.size);
    if (file.kind === 'skipped') yield { kind: 'skipped', skipped: file.skipped };
    else yield { path: walked.path, file };
  }
}

/**
 * Folders of text files, and what `export --format markdown` wrote, with what its side file knows of them. The key is the path below the
 * folder, the value is the text with its frontmatter, byte for byte; the frontmatter, the title and the tags are metadata too.
 */
export const markdownReader: SourceReader = {
  format: 'markdown',
  measure: (path, options) => measureFiles(path, wantedBy(options)),
  places: (path, options) => placesOfFiles('markdown', path, options),
  async *read(path, options) {
    const origin = await originOf(path);
    const id = await rootId(origin.root, options);
    const side = origin.kind === 'folder' ? await readSideFile(origin.root) : undefined;
    for (const skipped of side?.skipped ?? []) yield { kind: 'skipped', skipped };
    const isNoteHere = wantedBy(options);
    const wanted = (path: string) => isNoteHere(path) || side?.lines.has(path) === true;
    for await (const read of readFiles(filesOf(origin, wanted, options), options))
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

function wantedBy({ allText }: ReadOptions): (path: string) => boolean {
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
  yield* memoriesOf({
    path,
    key: path,
    namespace: namespaceOf(options),
    value: file.text,
    metadata: metadataOf(note, { format: 'markdown', path }),
    ...noteTimes(note, timeOf(file.modified, 'utc')),
    source: { id: `markdown:${root}/${path}`, hash: sha256(file.bytes) },
    metadataAlsoIn: 'text',
  });
}
