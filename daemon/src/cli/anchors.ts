import { Option } from 'commander';
import type { Client } from '@reverie/shared/client';
import { readAnchors } from '@reverie/shared/contract/memories/anchors';
import type { AnchorNow } from '@reverie/shared/contract/memories/anchor-now';
import { anchorsWarning } from '@reverie/shared/contract/memories/anchor-words';
import { several } from './options.ts';
import { inOneLine } from './print.ts';

/** `--anchor src/x.ts:40-58`, given several times. */
export function anchorOption(): Option {
  return new Option(
    '--anchor <place>',
    'code that it is about: FILE, FILE:40-58 or FILE#symbol of the repository here, whose namespace -n names; may be given again',
  ).argParser(several);
}

/** Metadata with anchors to the code at some places, as it stands in the repository of this folder. */
export async function withAnchors(
  client: Client,
  metadata: Record<string, unknown> | undefined,
  { namespace, anchor: places = [] }: { namespace: string; anchor?: string[] },
): Promise<Record<string, unknown> | undefined> {
  if (places.length === 0) return metadata;
  const { anchors } = await client(readAnchors, { body: { namespace, folder: process.cwd(), places } });
  return { ...metadata, anchors };
}

/** The line that warns of a memory whose code is not as it was; undefined where it is. */
export function codeWarning(anchors: readonly AnchorNow[] | undefined): string | undefined {
  const warning = anchorsWarning(anchors);
  return warning === undefined ? undefined : inOneLine(`Code: ${warning}`);
}
