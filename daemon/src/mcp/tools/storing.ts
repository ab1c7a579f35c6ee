import { randomBytes } from 'node:crypto';
import { ApiError, type Client } from '@reverie/shared/client';
import { keyFrom, keysLike } from '@reverie/shared/contract/memories/key-from';
import { getMemory, setMemory } from '@reverie/shared/contract/memories/memories';
import type { Received, Sent } from '@reverie/shared/contract/route';

/** Stores a memory under a key of its first words, or one like it where that is taken; never over another memory. */
export async function storeUnderNewKey(
  client: Client,
  body: Omit<Sent<typeof setMemory>['body'], 'key'>,
): Promise<Pick<Received<typeof setMemory>, 'key' | 'similar'>> {
  for (const key of keysLike(keyFrom(body.value), randomBytes(4).toString('hex'))) {
    try {
      return await client(setMemory, { body: { ...body, key, if_updated_at: null } });
    } catch (cause) {
      if (!(cause instanceof ApiError) || cause.code !== 'conflict') throw cause;
      // Said twice, as agents do: it is remembered already.
      const there = await client(getMemory, { body: { key, namespace: body.namespace } });
      if (there.value === body.value) return { key };
    }
  }
  throw new ApiError({ status: 409, code: 'conflict', message: 'No free key was found: name one' });
}
