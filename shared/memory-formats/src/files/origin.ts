import { realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { ImportError, messageOf, type ReadOptions } from '../reader.ts';
import { isOfSystem } from './walk.ts';

/** The thing that is imported: a folder with all below it, or one file of a folder. */
export type ImportOrigin = { kind: 'folder'; root: string } | { kind: 'file'; root: string; name: string };

/** Looks at what a path is; a path that leads nowhere is an `ImportError`. */
export async function originOf(path: string): Promise<ImportOrigin> {
  try {
    const real = await realpath(path);
    if (isOfSystem(real)) throw new Error('it is of the system, and holds no notes');
    const stats = await stat(real);
    if (stats.isDirectory()) return { kind: 'folder', root: real };
    if (stats.isFile()) return { kind: 'file', root: dirname(real), name: basename(real) };
  } catch (error) {
    const why =
      (error as NodeJS.ErrnoException).code === 'ENOENT'
        ? 'there is no such file or folder'
        : messageOf(error);
    throw new ImportError(`${path} cannot be read: ${why}`, error);
  }
  throw new ImportError(`${path} is neither a file nor a folder`);
}

/** The size of a file; a path that leads nowhere, or to a folder, is an `ImportError`. */
export async function sizeOfFile(path: string): Promise<number> {
  const origin = await originOf(path);
  if (origin.kind === 'folder') throw new ImportError(`${path} is a folder; name the file`);
  return sizeOfFiles([join(origin.root, origin.name)]);
}

/** The sizes of files that are there, added up. */
export async function sizeOfFiles(files: readonly string[]): Promise<number> {
  let bytes = 0;
  for (const file of files) bytes += (await stat(file)).size;
  return bytes;
}

/**
 * The first part of a source id: where the root lies, written from the home folder on (`~/notes`) where it lies
 * in there. So two vaults never collide, and the id stays the same on a new machine where the home folder
 * has another name. Elsewhere it is the whole real path. `sourceName` takes its place.
 */
export async function rootId(root: string, { sourceName }: Pick<ReadOptions, 'sourceName'>): Promise<string> {
  if (sourceName !== undefined) return sourceName;
  const home = await realpath(homedir()).catch(() => homedir());
  const below = relative(home, root);
  const inHome = below.split(sep)[0] !== '..' && !isAbsolute(below);
  const named = inHome ? join('~', below) : root;
  return named.split(sep).join('/').normalize('NFC');
}
