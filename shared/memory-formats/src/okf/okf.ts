import { basename } from 'node:path/posix';
import { stringify } from 'yaml';
import type { PortableMemory } from '@reverie/shared/contract/memories/portable';
import { fileNamer } from '../markdown/file-names.ts';
import { tagsOf, textOf } from '../fit.ts';
import { frontmatterOf, readableFields } from '../notes/frontmatter.ts';
import { memoriesOfFile } from '../markdown/markdown.ts';
import { stemOf } from '../notes/note.ts';
import { noteFilesReader } from '../files/note-files.ts';
import { skip } from '../reader.ts';
import type { WrittenExport } from '../jsonl/write-json-lines.ts';
import { claim, writeNew } from '../markdown/write-markdown.ts';

/** The type of what names none itself; the format's own list is open. */
const NOTE = 'Note';

function isMarkdown(path: string): boolean {
  return /\.md$/i.test(path);
}

/** Tells whether the Open Knowledge Format keeps a name, in any folder, for listings and logs. */
function isReserved(path: string): boolean {
  return ['index.md', 'log.md'].includes(basename(path).toLowerCase());
}

/** The Open Knowledge Format: a folder of Markdown whose frontmatter has a `type`. What has none is taken, too, as the format asks. */
export const okfReader = noteFilesReader({
  format: 'okf',
  idFormat: 'markdown',
  isNote: isMarkdown,
  begin: () => (read, root, options) =>
    isReserved(read.path)
      ? [skip(read.path, 'no_note', 'is a listing or log of the bundle, which says nothing by itself')]
      : memoriesOfFile(read, root, options),
});

/** A memory as a concept: its text, word for word, with a `type` in its frontmatter, and a new one where it has none. */
export function conceptOf({ key, value, metadata = {}, updated_at, created_at }: PortableMemory): string {
  const found = frontmatterOf(value);
  const type = textOf(metadata['type']);
  if (found) {
    const given = readableFields(found.yaml);
    const isOwn = textOf(given.fields['type']) !== undefined;
    // YAML that is damaged would stay so, and a second type in it would be one more fault.
    if (isOwn && given.problem === undefined) return value;
    if (given.problem === undefined && !Object.hasOwn(given.fields, 'type'))
      return value.replace(/\n/, (end) => `${end}${stringify({ type: type ?? NOTE })}`);
  }
  const { imported: _, tags, ...known } = metadata;
  const fields = {
    type: type ?? NOTE,
    title: textOf(metadata['title']) ?? stemOf(key),
    ...(tagsOf(tags).length > 0 && { tags: tagsOf(tags) }),
    timestamp: updated_at ?? created_at,
  };
  const rest = found ? {} : known;
  const body = found ? value.slice(found.bodyAt) : value.replace(/^\uFEFF/, '');
  return `---\n${stringify({ ...rest, ...(found && readableFields(found.yaml).fields), ...fields })}---\n${body}`;
}

/** Writes memories as a bundle of the Open Knowledge Format, into a new or empty folder. */
export async function writeOkf(
  memories: AsyncIterable<PortableMemory> | Iterable<PortableMemory>,
  folder: string,
  { only = false }: { only?: boolean } = {},
): Promise<WrittenExport> {
  await claim(folder);
  const target = { folder, nameOf: fileNamer({ only }), made: new Set<string>() };
  const written: WrittenExport = { memories: 0, bytes: 0 };
  for await (const memory of memories) {
    const bytes = Buffer.from(conceptOf(memory), 'utf8');
    const named = isMarkdown(memory.key) ? memory.key : `${memory.key}.md`;
    // A concept may not have the name of a listing.
    const key = isReserved(named) ? named.replace(/\.md$/i, '_.md') : named;
    const changed = memory.updated_at ?? memory.created_at;
    await writeNew(target, { memory: { namespace: memory.namespace, key }, bytes, changed });
    written.memories++;
    written.bytes += bytes.length;
  }
  return written;
}
