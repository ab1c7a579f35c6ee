import fs from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { openRegular } from '@reverie/shared/files/regular-file';
import { isConversations, isChatGptFile } from './chatgpt/chatgpt.ts';
import { memoryFolders } from './claude-code/claude-code.ts';
import { frontmatterOf } from './notes/frontmatter.ts';
import { isJsonLines } from './jsonl/jsonl.ts';
import { isLogseqGraph } from './logseq/logseq.ts';
import { isNote } from './markdown/markdown.ts';
import { isOfNotion } from './notion/notion.ts';
import { originOf } from './files/origin.ts';
import { formats, ImportError, type Format } from './reader.ts';
import { SIDE_FILE } from './markdown/side-file.ts';
import { walk } from './files/walk.ts';
import { filesInZip } from './files/zip.ts';

/** How much of a file, and how many notes of a folder, are looked at. */
const PEEK_BYTES = 64 * 1024;
const PEEK_NOTES = 40;

/** A format, and in a few words what it was told by. */
interface Detected {
  format: Format;
  because: string;
}

/** The format of what lies at a path; where it is not clear, an error that says what to pass with `--format`. */
export async function detectFormat(path: string): Promise<Detected> {
  const origin = await originOf(path);
  const detected =
    origin.kind === 'folder'
      ? await formatOfFolder(origin.root)
      : await formatOfFile(join(origin.root, origin.name));
  if (detected) return detected;
  throw new ImportError(
    `It is not clear what ${path} holds; say it with --format, one of ${formats.join(', ')}` +
      (origin.kind === 'folder' ? ' (with --all-text, markdown takes every text file)' : ''),
  );
}

async function formatOfFile(file: string): Promise<Detected | undefined> {
  const name = basename(file);
  if (isJsonLines(name)) return { format: 'jsonl', because: 'its name is one of JSON Lines' };
  if (/\.(csv|tsv)(\.gz)?$/i.test(name)) return { format: 'csv', because: 'its name is one of a table' };
  if (isNote(name)) return { format: 'markdown', because: 'its name is one of a note' };
  if (/\.zip$/i.test(name)) return formatOfZip(file);
  if (!/\.json$/i.test(name)) return undefined;
  if (isConversations(name)) return { format: 'chatgpt', because: 'ChatGPT names its conversations so' };
  const start = startOf(file);
  if (/"mapping"\s*:\s*\{/.test(start))
    return { format: 'chatgpt', because: 'it holds conversations (`mapping`)' };
  const field = /"(memory|user_id|agent_id|run_id)"\s*:/.exec(start)?.[1];
  return field === undefined
    ? undefined
    : { format: 'mem0', because: `it has the field \`${field}\` of mem0` };
}

async function formatOfZip(file: string): Promise<Detected | undefined> {
  let memories = false;
  let pages = false;
  const includes = (name: string) => {
    pages ||= isOfNotion(name);
    return isChatGptFile(name);
  };
  for await (const inner of filesInZip(file, includes, {})) {
    if (isConversations(inner.name)) return { format: 'chatgpt', because: `it holds ${inner.name}` };
    memories ||= inner.name === 'memories.json';
  }
  if (pages && !memories)
    return { format: 'notion', because: 'it holds pages that are named as those of Notion' };
  return memories ? { format: 'mem0', because: 'it holds memories.json, and no conversations' } : undefined;
}

async function formatOfFolder(root: string): Promise<Detected | undefined> {
  if (isLogseqGraph(root)) return { format: 'logseq', because: 'it holds logseq/config.edn' };
  const names = await readdir(root);
  if (fs.existsSync(join(root, SIDE_FILE)))
    return { format: 'markdown', because: `it holds ${SIDE_FILE}, as an export does` };
  if (
    names.includes('index.md') &&
    /^okf_version:/m.test(frontmatterOf(startOf(join(root, 'index.md')))?.yaml ?? '')
  )
    return { format: 'okf', because: 'its index.md names a version of the Open Knowledge Format' };
  const conversations = names.find(isConversations);
  if (conversations !== undefined) return { format: 'chatgpt', because: `it holds ${conversations}` };
  if ((await memoryFolders(root)).length > 0 && (await isClaudeCode(root, names)))
    return { format: 'claude-code', because: 'it holds MEMORY.md, the index of Claude Code' };
  const notes = await notesIn(root);
  const lines = names.find(isJsonLines);
  if (notes.seen === 0)
    return lines === undefined ? undefined : { format: 'jsonl', because: `it holds ${lines}` };
  if (notes.ofNotion * 2 > notes.seen)
    return { format: 'notion', because: 'its files are named as pages of Notion are' };
  const looked = `of ${notes.seen} notes that were looked at`;
  return notes.permalinks * 2 > notes.seen
    ? { format: 'basic-memory', because: `${looked}, ${notes.permalinks} have a permalink` }
    : {
        format: 'markdown',
        because: `${looked}, ${notes.permalinks || 'none'} ${notes.permalinks === 1 ? 'has' : 'have'} a permalink of basic-memory`,
      };
}

/** Many folders are called memory: only those with the index are meant, or those of all projects. */
async function isClaudeCode(root: string, names: readonly string[]): Promise<boolean> {
  if (names.includes('MEMORY.md')) return true;
  for (const { folder } of await memoryFolders(root))
    if ((await readdir(folder)).includes('MEMORY.md')) return true;
  return false;
}

async function notesIn(root: string): Promise<{ seen: number; permalinks: number; ofNotion: number }> {
  const counted = { seen: 0, permalinks: 0, ofNotion: 0 };
  for await (const walked of walk(root, isNote)) {
    if (walked.kind === 'skipped') continue;
    const frontmatter = frontmatterOf(startOf(walked.file));
    counted.seen++;
    if (isOfNotion(walked.path)) counted.ofNotion++;
    if (frontmatter && /^permalink:/m.test(frontmatter.yaml)) counted.permalinks++;
    if (counted.seen === PEEK_NOTES) break;
  }
  return counted;
}

function startOf(file: string): string {
  let handle: number | undefined;
  try {
    handle = openRegular(file);
    const buffer = Buffer.alloc(PEEK_BYTES);
    return buffer.toString('utf8', 0, fs.readSync(handle, buffer, 0, PEEK_BYTES, 0));
  } catch {
    // A file that cannot be read is listed by the reader; here it says nothing.
    return '';
  } finally {
    if (handle !== undefined) fs.closeSync(handle);
  }
}
