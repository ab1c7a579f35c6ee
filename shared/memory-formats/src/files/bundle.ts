import { basename, join } from 'node:path';
import { ImportError, skip, type Format, type ReadItem, type ReadOptions } from '../reader.ts';
import { measureFiles } from './note-files.ts';
import { originOf, rootId, sizeOfFile } from './origin.ts';
import { decodeText, maxFileBytes, readTextFile } from './text-file.ts';
import { walk } from './walk.ts';
import { filesInZip } from './zip.ts';

/** An archive with more files, or whose notes unpack to more, is none of notes. */
const bundleLimits = { files: 200_000, bytes: 4 * 1024 * 1024 * 1024 };

/** A text of a bundle, under the path that it has there. */
export interface BundledText {
  path: string;
  text: string;
  modified: number | undefined;
}

/** What another program exported: a folder, or a zip archive of one. `read` goes through the files that `includes` takes. */
interface Bundle {
  /** What the ids of its sources begin with. */
  root: string;
  paths: string[];
  /** What cannot be looked at. */
  skipped: ReadItem[];
  read(
    includes: (path: string) => boolean,
  ): AsyncGenerator<BundledText | Extract<ReadItem, { kind: 'skipped' }>>;
}

/** The bytes of a folder's notes and tables, or of an archive. */
export async function measureBundle(path: string): Promise<number> {
  const isText = (file: string) => /\.(?:md|markdown|txt|csv)$/i.test(file);
  return (await originOf(path)).kind === 'file' ? sizeOfFile(path) : measureFiles(path, isText);
}

/** Opens a folder or a zip archive, and reads the names of its files. Nothing of an archive is written anywhere. */
export async function openBundle(format: Format, path: string, options: ReadOptions): Promise<Bundle> {
  const origin = await originOf(path);
  const root = `${format}:${await rootId(origin.root, options)}`;
  if (origin.kind === 'folder') return { root, ...(await openFolder(origin.root, options)) };
  if (!/\.zip$/i.test(origin.name))
    throw new ImportError(`${path} is neither a folder nor a zip archive; name the one that was exported`);
  return { root: `${root}/${origin.name}`, ...(await openZip(join(origin.root, origin.name), options)) };
}

async function openFolder(
  root: string,
  { ignores, onBytes }: Pick<ReadOptions, 'ignores' | 'onBytes'>,
): Promise<Omit<Bundle, 'root'>> {
  const files = new Map<string, string>();
  const skipped: ReadItem[] = [];
  for await (const found of walk(root, () => true, ignores))
    if (found.kind === 'skipped') skipped.push(found);
    else files.set(found.path, found.file);
  return {
    paths: [...files.keys()],
    skipped,
    async *read(includes) {
      for (const [path, file] of files) {
        if (!includes(path)) continue;
        const read = await readTextFile(file, path, () => false);
        onBytes?.(read.size);
        yield read.kind === 'skipped' ? read : { path, text: read.text, modified: read.modified };
      }
    },
  };
}

async function openZip(
  file: string,
  { onBytes }: Pick<ReadOptions, 'onBytes'>,
): Promise<Omit<Bundle, 'root'>> {
  const paths: string[] = [];
  const note = (_: string, path: string) => {
    if (isOutside(path))
      throw new ImportError(`${basename(file)} names ${path}, which leads out of the archive; it is refused`);
    if (paths.length === bundleLimits.files)
      throw new ImportError(`${basename(file)} has more than ${bundleLimits.files} files; it is refused`);
    if (!path.endsWith('/')) paths.push(path);
    return false;
  };
  for await (const _ of filesInZip(file, note, {}));
  return {
    paths: [...new Set(paths)].sort(),
    skipped: [],
    async *read(includes) {
      let total = 0;
      const options = onBytes ? { onBytes } : {};
      for await (const inner of filesInZip(file, (_, path) => includes(path), options)) {
        const chunks: Uint8Array[] = [];
        let size = 0;
        for await (const chunk of inner.chunks) {
          size += chunk.length;
          total += chunk.length;
          if (total > bundleLimits.bytes)
            throw new ImportError(
              `${basename(file)} unpacks to more than ${bundleLimits.bytes} bytes; it is refused`,
            );
          if (size <= maxFileBytes) chunks.push(chunk);
        }
        yield textOf(inner.path, size > maxFileBytes ? undefined : Buffer.concat(chunks));
      }
    },
  };
}

/** Tells whether a name in an archive would lead elsewhere, were it unpacked. */
function isOutside(path: string): boolean {
  return /^(?:[/\\]|[A-Za-z]:)|(?:^|[/\\])\.\.(?:[/\\]|$)|\0/.test(path);
}

function textOf(
  path: string,
  bytes: Buffer | undefined,
): BundledText | Extract<ReadItem, { kind: 'skipped' }> {
  if (!bytes)
    return {
      kind: 'skipped',
      skipped: { path, reason: 'too_large', detail: `unpacks to more than ${maxFileBytes} bytes` },
    };
  const { text, problem } = decodeText(bytes);
  return problem ? { kind: 'skipped', skipped: { path, ...problem } } : { path, text, modified: undefined };
}

/** Says of a file that is no note why it is left out. */
export function leftOut(path: string): ReadItem {
  if (/\.zip$/i.test(path))
    return skip(path, 'no_note', 'is an archive inside of the export; unpack it, and import what it holds');
  if (/\.html?$/i.test(path)) return skip(path, 'no_note', 'is HTML; export as Markdown to have its text');
  return skip(path, 'no_note', 'is a picture or another attachment; notes alone are taken');
}
