import { ApiError, type Client } from '@reverie/shared/client';
import { keyFrom, keysLike } from '@reverie/shared/contract/memories/key-from';
import { setMemory } from '@reverie/shared/contract/memories/memories';

export interface KeptThought {
  namespace: string;
  key: string;
}

/**
 * Stores a passing thought under the given key or one of its first words, or under one like that where it is taken; never over another
 * memory, as `reverie add` does.
 */
export async function keepThought(
  client: Client,
  thought: { namespace: string; value: string; key?: string },
): Promise<KeptThought> {
  const { namespace, value, key: wanted = keyFrom(value) } = thought;
  for (const key of keysLike(wanted, crypto.randomUUID().slice(0, 8))) {
    try {
      const stored = await client(setMemory, { body: { namespace, key, value, if_updated_at: null } });
      return { namespace, key: stored.key };
    } catch (cause) {
      if (!(cause instanceof ApiError) || cause.code !== 'conflict') throw cause;
    }
  }
  throw new Error('Every name of these words is taken: write it as a new memory, with a name of your own');
}
