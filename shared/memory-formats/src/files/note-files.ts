import { statSync } from 'node:fs';
import { join } from 'node:path';
import { isOwnFile } from '../markdown/own-file.ts';
import type { Format, ReadItem, ReadOptions, SourcePlace, SourceReader } from '../reader.ts';
import { originOf, rootId, type ImportOrigin } from './origin.ts';
import { readTextFile, type TextFile } from './text-file.ts';
import { walk, type WalkedItem } from './walk.ts';

/** The files of an origin: the one that was named, whatever its ending, or those below the folder. */
export async function* filesOf(
  origin: ImportOrigin,
  includes: (path: string) => boolean,
  { ignores }: Pick<ReadOptions, 'ignores'> = {},
): AsyncGenerator<WalkedItem> {
  if (origin.kind === 'folder') yield* walk(origin.root, includes, ignores);
  else yield { kind: 'file', path: origin.name.normalize('NFC'), file: join(origin.root, origin.name) };
}

/** Returns where the files of an origin lie, in ids that begin with the format. */
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
export async function measureFiles(path: string, includes: (path: string) => boolean): Promise<number> {
  let bytes = 0;
  for await (const walked of filesOf(await originOf(path), includes))
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

/** A format in which each file is a note by itself. */
interface NoteFiles {
  format: Format;
  /** The format that ids of its sources begin with, where that is another one: the same file is the same source then. */
  idFormat?: Format;
  isNote: (path: string) => boolean;
  /** Begins a run: what it returns is called for each file, `root` is how source ids name the folder. */
  begin: () => (read: FileRead, root: string, options: ReadOptions) => Iterable<ReadItem>;
}

/** Makes the reader of a format in which each file is a note by itself. */
export function noteFilesReader({ format, idFormat = format, isNote, begin }: NoteFiles): SourceReader {
  return {
    format,
    measure: (path) => measureFiles(path, isNote),
    places: (path, options) => placesOfFiles(idFormat, path, options),
    async *read(path, options) {
      const origin = await originOf(path);
      const root = await rootId(origin.root, options);
      const memoriesOf = begin();
      for await (const read of readFiles(filesOf(origin, isNote, options), options))
        if ('kind' in read) yield read;
        else yield* memoriesOf(read, root, options);
    },
  };
}
