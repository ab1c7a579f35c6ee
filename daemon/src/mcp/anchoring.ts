import type { Client } from '@reverie/shared/client';
import type { AnchorNow } from '@reverie/shared/contract/memories/anchor-now';
import { anchorsWarning, anchorWords } from '@reverie/shared/contract/memories/anchor-words';
import { type Anchor, nameFolder, readAnchors } from '@reverie/shared/contract/memories/anchors';
import type { AgentScope } from './scope.ts';

/**
 * Says in which folder an agent works, so that what it is told next is checked there: before each call, for agents in two worktrees of a
 * project share its namespace.
 */
export async function sayFolder(client: Client, { folder }: AgentScope): Promise<void> {
  if (folder !== undefined) await client(nameFolder, { body: { folder } });
}

/** The anchors of what an agent stores: those that it names, and those that the text names. */
export async function anchorsOf(
  client: Client,
  { folder }: AgentScope,
  wanted: { namespace: string; value: string; places: string[] },
): Promise<Anchor[]> {
  const body = { ...wanted, ...(folder !== undefined && { folder }) };
  return (await client(readAnchors, { body })).anchors;
}

/** What a mark says of the code of a memory: all of it where the memory is read, else what is not as it was. */
export function codeOf(anchors: readonly AnchorNow[] | undefined, all = false): string | undefined {
  return all ? anchors?.map(anchorWords).join('; ') : anchorsWarning(anchors);
}
