import { byteLength } from '@reverie/shared/contract/fields';
import { cutToBytes, sha256 } from '../fit.ts';
import { isIgnoredFolder } from '../files/walk.ts';

/** Names that Windows keeps for devices, whatever the ending. */
const RESERVED = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(\.|$)/i;

const FORBIDDEN = /[\u0000-\u001f\u007f-\u009f<>:"\\|?*]/g;

/** Endings that a note keeps. */
const NOTE = /\.(?:md|markdown|mdx|txt|rst)$/i;

const SEGMENT_BYTES = 80;
const PATH_BYTES = 200;

/** One name of a path that every platform takes: no devices, no hidden files, no way up. */
function safeSegment(segment: string): string {
  let name = segment.normalize('NFC').toWellFormed().replaceAll(FORBIDDEN, '_');
  name = cutToBytes(name, SEGMENT_BYTES)
    .replace(/^[. ]+/, '_')
    .replace(/[. ]+$/, '_');
  if (name === '') return '_';
  return RESERVED.test(name) ? `_${name}` : name;
}

/** A folder's name, which may not look like a note nor like a folder that `import` passes over. */
function safeFolder(segment: string): string {
  const name = safeSegment(segment).replace(/\.md$/i, '.md_');
  return isIgnoredFolder(name) ? `_${name}` : name;
}

/** Names files of an export. With `asItWas` a key is the path of the file that its memory came from, and stays so where this system can. */
export type FileNamer = (
  memory: { namespace: string; key: string },
  options?: { asItWas?: boolean },
) => string;

/**
 * Gives each memory a file: the key, as far as every platform can hold it, below a folder of its namespace unless all are of `only`
 * one. Where names had to be changed or differ in case only, the hash of namespace and key makes them different.
 */
export function fileNamer({ only = false }: { only?: boolean } = {}): FileNamer {
  const taken = new Set<string>();
  const given = new Set<string>();
  return ({ namespace, key }, { asItWas = false } = {}) => {
    const folder = only ? '' : `${safeFolder(namespace.replaceAll('/', '_'))}/`;
    const own = `${folder}${key}`;
    const plain = plainPath(folder, { namespace, key });
    let path =
      plain === undefined || taken.has(folded(plain)) ? markedPath(folder, { namespace, key }) : plain;
    if (asItWas && isPathHere(key) && !given.has(own)) path = own;
    taken.add(folded(path));
    given.add(path);
    return path;
  };
}

/** Tells whether a path stays below its root on this system, and leads into no folder that `import` passes over. */
function isPathHere(key: string): boolean {
  if (process.platform === 'win32') return isPlainPath(key);
  const isName = (name: string) => !/^\.{0,2}$|[\u0000-\u001f\u007f]/.test(name) && byteLength(name) <= 255;
  return byteLength(key) <= 1024 && key.split('/').every((name) => isName(name) && !isIgnoredFolder(name));
}

/** File systems that ignore case do not agree how: this folds more than any of them. */
function folded(path: string): string {
  return path.normalize('NFKD').toUpperCase().toLowerCase();
}

interface Address {
  namespace: string;
  key: string;
}

function plainPath(folder: string, { namespace, key }: Address): string | undefined {
  if ((folder !== '' && folder !== `${namespace}/`) || !hasSafeNames(key)) return undefined;
  const path = `${folder}${key}`;
  const named = NOTE.test(path) ? path : `${path}.md`;
  return byteLength(named) > PATH_BYTES ? undefined : named;
}

function markedPath(folder: string, { namespace, key }: Address): string {
  const mark = sha256(JSON.stringify([namespace, key])).slice(0, 16);
  const segments = key.split('/').map(safeFolder);
  const last = (segments.pop() ?? '').replace(/(?<=\.md)_$/i, '');
  const ending = NOTE.exec(last)?.[0] ?? '.md';
  const path = [...segments, ''].join('/');
  const kept = byteLength(folder + path) > PATH_BYTES - SEGMENT_BYTES ? folder : folder + path;
  return `${kept}${cutToBytes(last.replace(NOTE, ''), SEGMENT_BYTES - 20)}-${mark}${ending}`;
}

/** Tells whether a path below a folder is one that every platform takes as it is. */
export function isPlainPath(relative: string): boolean {
  return byteLength(relative) <= PATH_BYTES && hasSafeNames(relative);
}

function hasSafeNames(relative: string): boolean {
  const segments = relative.split('/');
  const last = segments.length - 1;
  return segments.every((name, at) => name === (at < last ? safeFolder(name) : safeSegment(name)));
}
