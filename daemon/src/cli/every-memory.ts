import { byteLength, EVERY_NAMESPACE } from '@reverie/shared/contract/fields';
import {
  hiddenKinds,
  type ListedMemory,
  listMemories,
  listNamespaces,
  type Memory,
} from '@reverie/shared/contract/memories/memories';
import type { PortableMemory } from '@reverie/shared/contract/memories/portable';
import type { Client } from '@reverie/shared/client';

/** A reply of about so many bytes is neither slow nor heavy. */
const REPLY_BYTES = 4 * 1024 * 1024;
const LARGEST_PAGE = 200;

export interface Walk {
  /** Only this namespace; all where omitted. */
  namespace?: string | undefined;
}

/** How many memories a walk will come by, about. */
export async function countMemories(client: Client, { namespace }: Walk): Promise<number> {
  const { namespaces } = await client(listNamespaces, {});
  return namespaces
    .filter((one) => namespace === undefined || one.namespace === namespace)
    .reduce((sum, one) => sum + one.count, 0);
}

/**
 * Every memory of one or all namespaces, oldest first within each, in the form of an export. Whatever is
 * stored all the while comes exactly once, even when others are written or deleted meanwhile.
 */
export async function* everyMemory(client: Client, walk: Walk): AsyncGenerator<PortableMemory> {
  const { namespaces } = await client(listNamespaces, {});
  const names = namespaces.map(({ namespace }) => namespace).sort();
  for (const namespace of walk.namespace === undefined ? names : [walk.namespace])
    yield* everyOf(client, namespace);
}

/**
 * Pages by offset over the order of creation, which never changes for a memory. Each page begins with the
 * last memory of the one before; where another stands there, memories before it were deleted or added, and
 * the walk steps back until it meets what it has seen.
 */
async function* everyOf(client: Client, namespace: string): AsyncGenerator<PortableMemory> {
  let last: Memory | undefined;
  let offset = 0;
  let limit = 16;
  for (;;) {
    const { memories } = await client(listMemories, {
      // Hidden ones, too: who takes everything along must not lose what a merge or an archive hides.
      body: {
        namespace,
        offset,
        limit,
        order: 'created',
        include: [...hiddenKinds],
        // A namespace may have been called so before this meant every one.
        ...(namespace === EVERY_NAMESPACE && { query: `in:${EVERY_NAMESPACE}` }),
      },
    });
    const [first] = memories;
    if (last && offset > 0 && (!first || isAfter(first, last))) {
      offset = Math.max(0, offset - limit);
      continue;
    }
    let bytes = 0;
    for (const memory of memories.map(withValue)) {
      bytes += byteLength(memory.value);
      if (last && !isAfter(memory, last)) continue;
      last = memory;
      yield portable(memory);
    }
    if (memories.length < limit) return;
    offset += memories.length - 1;
    const fitting = Math.floor((memories.length * REPLY_BYTES) / Math.max(bytes, 1));
    // At least 2: of one alone the walk would not go on.
    limit = Math.max(2, Math.min(LARGEST_PAGE, limit * 2, fitting));
  }
}

/** Whether one memory stands after another: by time of creation, then by the bytes of the key. */
function isAfter(one: ListedMemory, other: ListedMemory): boolean {
  if (one.created_at !== other.created_at) return one.created_at > other.created_at;
  return Buffer.compare(Buffer.from(one.key), Buffer.from(other.key)) > 0;
}

/** What was asked for with its value has one; a daemon that leaves it out must not be taken for empty memories. */
function withValue(memory: ListedMemory): Memory {
  const { value } = memory;
  if (value === undefined) throw new Error(`The daemon left out the value of ${memory.key}`);
  return { ...memory, value };
}

function portable({
  key,
  value,
  namespace,
  metadata,
  created_at,
  updated_at,
  expires_at,
}: Memory): PortableMemory {
  return { key, value, namespace, metadata, created_at, updated_at, expires_at };
}
