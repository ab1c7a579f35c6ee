import { agentFilesReader } from './agent-files/agent-files.ts';
import { appleNotesReader } from './apple-notes/apple-notes.ts';
import { basicMemoryReader } from './basic-memory/basic-memory.ts';
import { chatGptReader } from './chatgpt/chatgpt.ts';
import { claudeCodeReader } from './claude-code/claude-code.ts';
import { csvReader } from './csv/csv.ts';
import { jsonLinesReader } from './jsonl/jsonl.ts';
import { logseqReader } from './logseq/logseq.ts';
import { markdownReader } from './markdown/markdown.ts';
import { mem0Reader } from './mem0/mem0.ts';
import { notionReader } from './notion/notion.ts';
import { okfReader } from './okf/okf.ts';
import type { Format, SourceReader } from './reader.ts';

const readers: Readonly<Record<Format, SourceReader>> = {
  markdown: markdownReader,
  logseq: logseqReader,
  jsonl: jsonLinesReader,
  csv: csvReader,
  'claude-code': claudeCodeReader,
  'agent-files': agentFilesReader,
  'basic-memory': basicMemoryReader,
  mem0: mem0Reader,
  chatgpt: chatGptReader,
  okf: okfReader,
  notion: notionReader,
  'apple-notes': appleNotesReader,
};

/** The reader of a format. */
export function readerOf(format: Format): SourceReader {
  return readers[format];
}

/** Tells whether the notes of a format show pictures that lie beside them: the rules of agents do not, and records have no folder. */
export function showsPictures(format: Format): boolean {
  return format === 'markdown' || format === 'logseq' || format === 'basic-memory';
}
