import { byteLength } from '@reverie/shared/contract/fields';
import { cutToBytes, sha256 } from './fit.ts';
import { isIgnoredFolder } from './walk.ts';

/** Names that Windows keeps for devices, whatever the ending. */
const RESERVED = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(\.|$)/i;

const FORBIDDEN = /[\u0000-\u001f\u007f-\u009f<>:"\\|?*]/g;

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

/**
 * Gives each memory a file below its namespace's folder: the key, as far as every platform can hold it. Where
 * names had to be changed or differ in case only, the hash of namespace and key makes them different.
 */
export function fileNamer(): (namespace: string, key: string) => string {
  const taken = new Set<string>();
  return (namespace, key) => {
    const plain = plainPath(namespace, key);
    const path = plain === undefined || taken.has(folded(plain)) ? markedPath(namespace, key) : plain;
    taken.add(folded(path));
    return path;
  };
}

/** File systems that ignore case do not agree how: this folds more than any of them. */
function folded(path: string): string {
  return path.normalize('NFKD').toUpperCase().toLowerCase();
}

function plainPath(namespace: string, key: string): string | undefined {
  const folder = safeFolder(namespace.replaceAll('/', '_'));
  if (folder !== namespace || !hasSafeNames(key)) return undefined;
  const path = `${folder}/${key}`;
  const named = path.toLowerCase().endsWith('.md') ? path : `${path}.md`;
  return byteLength(named) > PATH_BYTES ? undefined : named;
}

function markedPath(namespace: string, key: string): string {
  const mark = sha256(JSON.stringify([namespace, key])).slice(0, 16);
  const segments = key.split('/').map(safeFolder);
  const name = (segments.pop() ?? '').replace(/\.md_?$/i, '');
  const folder = safeFolder(namespace.replaceAll('/', '_'));
  const path = [folder, ...segments].join('/');
  const kept = byteLength(path) > PATH_BYTES - SEGMENT_BYTES ? folder : path;
  return `${kept}/${cutToBytes(name, SEGMENT_BYTES - 20)}-${mark}.md`;
}

/** Whether a path below a folder is one that every platform takes as it is. */
export function isPlainPath(relative: string): boolean {
  return byteLength(relative) <= PATH_BYTES && hasSafeNames(relative);
}

function hasSafeNames(relative: string): boolean {
  const segments = relative.split('/');
  const last = segments.length - 1;
  return segments.every((name, at) => name === (at < last ? safeFolder(name) : safeSegment(name)));
}
