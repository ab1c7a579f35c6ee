import fs from 'node:fs';
import path from 'node:path';
import type { Client } from '@reverie/shared/client';
import { takeFolderAttachments } from '@reverie/shared/contract/memories/folders';
import type { Received } from '@reverie/shared/contract/route';
import type { Format } from '@reverie/memory-formats/reader';
import { showsPictures } from '@reverie/memory-formats/readers';

/** What became of the pictures and PDFs that imported notes name. */
export type TakenAttachments = Received<typeof takeFolderAttachments>;

/** Whether an import is of a folder whose notes may show what lies beside them. */
export function hasAttachments(imported: { format: Format; path: string; dryRun: boolean }): boolean {
  const { format, dryRun } = imported;
  return showsPictures(format) && !dryRun && fs.statSync(imported.path).isDirectory();
}

/** Has the daemon store what the notes of an imported folder name, for each namespace that they went to. */
export async function takeAttachments(
  client: Client,
  folder: string,
  namespaces: Iterable<string>,
): Promise<TakenAttachments> {
  const all: TakenAttachments = { stored: 0, unchanged: 0, left: [], left_total: 0 };
  for (const namespace of namespaces) {
    const body = { path: path.resolve(folder), namespace };
    const taken = await client(takeFolderAttachments, { body });
    all.stored += taken.stored;
    all.unchanged += taken.unchanged;
    all.left.push(...taken.left);
    all.left_total += taken.left_total;
  }
  return all;
}
