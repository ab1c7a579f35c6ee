import type { FolderFormat } from '@reverie/shared/contract/memories/folders';
import { isAgentFile } from '@reverie/memory-formats/agent-files/agent-files';
import { isLogseqPage } from '@reverie/memory-formats/logseq/logseq';
import { isNote } from '@reverie/memory-formats/markdown/markdown';

/** Which files of a folder are notes, each of them a memory, by their relative path; undefined for formats whose files hold many. */
export function noteNames(format: FolderFormat): ((path: string) => boolean) | undefined {
  if (format === 'markdown') return isNote;
  if (format === 'logseq') return isLogseqPage;
  return format === 'agent-files' ? isAgentFile : undefined;
}
