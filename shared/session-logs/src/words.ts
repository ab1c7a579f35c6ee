import { isLogObject, isTooDeep, type LogObject, textIn } from './json.ts';

/** Returns what stands for a binary: its kind and how many bytes it has. */
export function binaryMark(media: string, base64: string): string {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  return `[${media}, ${Math.max(0, Math.floor((base64.length * 3) / 4) - padding)} bytes]`;
}

const DATA_URL = /^data:([\w.+-]+\/[\w.+-]+)(?:;[\w=.+-]+)*;base64,/;

/** Returns what stands for an address of an image or file: its mark where the bytes are in it, else the address. */
export function addressMark(address: string): string {
  const start = DATA_URL.exec(address.slice(0, 200));
  if (start) return binaryMark(start[1] ?? 'binary', address.slice(start[0].length));
  return `[image, ${address.slice(0, 2000)}]`;
}

/** The mark of a block such as `{type:'image', source:{media_type, data}}`; undefined where it holds no bytes. */
export function blockMark(block: LogObject): string | undefined {
  const source = isLogObject(block.source) ? block.source : block;
  const data = textIn(source, 'data') ?? textIn(source, 'base64');
  const media = textIn(source, 'media_type') ?? textIn(source, 'mimeType') ?? textIn(source, 'mime');
  if (data !== undefined && media !== undefined) return binaryMark(media, data);
  const address = textIn(block, 'image_url') ?? textIn(source, 'url');
  return address === undefined ? undefined : addressMark(address);
}

const LONG_BASE64 = /^[A-Za-z0-9+/_-]{1000,}={0,2}$/;

/** A value of a log as JSON with its binaries replaced. */
export function jsonText(value: unknown): string {
  if (isTooDeep(value)) return '[nested too deeply to be shown]';
  return JSON.stringify(value, withoutBinaries) ?? '';
}

function withoutBinaries(_name: string, value: unknown): unknown {
  if (typeof value === 'string') {
    if (value.startsWith('data:')) return DATA_URL.test(value.slice(0, 200)) ? addressMark(value) : value;
    return value.length >= 1000 && LONG_BASE64.test(value) ? binaryMark('binary', value) : value;
  }
  return value;
}

/** A whole line that is not understood: as it stands, or without its binaries where it has some. */
export function lineText(line: string, value: unknown): string {
  return line.length < 1000 ? line : jsonText(value);
}

/** The words of content that is a text, or a list of texts and blocks; binaries stand as their marks. */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return isLogObject(content) ? partText(content) : '';
  const parts: readonly unknown[] = content;
  return parts
    .map((part) => (typeof part === 'string' ? part : isLogObject(part) ? partText(part) : ''))
    .filter((text) => text !== '')
    .join('\n');
}

function partText(part: LogObject): string {
  return (
    textIn(part, 'text') ??
    textIn(part, 'thinking') ??
    blockMark(part) ??
    (part.content === undefined ? jsonText(part) : contentInside(part.content))
  );
}

/** One level further in, and no deeper: content of content is JSON. */
function contentInside(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return jsonText(content);
  const parts: readonly unknown[] = content;
  return parts
    .map((part) => (isLogObject(part) ? (textIn(part, 'text') ?? blockMark(part) ?? jsonText(part)) : ''))
    .join('\n');
}

/** The first words of a prompt as a title: one line of at most 200 characters. */
export function promptTitle(text: string): string {
  const line = text.slice(0, 2000).replaceAll(/\s+/g, ' ').trim();
  return (line.length > 200 ? `${line.slice(0, 199)}…` : line).toWellFormed();
}
