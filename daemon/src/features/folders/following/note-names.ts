import type { FolderFormat } from '@reverie/shared/contract/folders';
import { isAgentFile } from '../../../portable/agent-files.ts';
import { isLogseqPage } from '../../../portable/logseq.ts';
import { isNote } from '../../../portable/markdown.ts';

/** Which files of a folder are notes, each of them a memory, by their relative path; undefined for formats whose files hold many. */
export function noteNames(format: FolderFormat): ((path: string) => boolean) | undefined {
  if (format === 'markdown') return isNote;
  if (format === 'logseq') return isLogseqPage;
  return format === 'agent-files' ? isAgentFile : undefined;
}
