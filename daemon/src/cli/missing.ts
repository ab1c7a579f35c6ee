import { ApiError, type Client } from '@reverie/shared/client';
import { listNamespaces } from '@reverie/shared/contract/memories/memories';
import { memoryKeys } from '@reverie/shared/contract/memories/memory-keys';
import { Refusal } from '../platform/home/home.ts';
import { sayElsewhere } from './elsewhere.ts';
import { nearest } from './nearest.ts';
import { inOneLine } from './print.ts';

/** Keys that are compared at most, so that the answer comes at once in a namespace of any size. */
const MOST_KEYS = 100_000;
/** Namespaces that are asked for the very same key. */
const MOST_NAMESPACES = 20;

interface Address {
  namespace: string;
  key: string;
}

/** What was asked for; where the memory is not there, a `Refusal` that names the keys it may be. */
export async function orNearest<T>(found: Promise<T>, client: Client, at: Address): Promise<T> {
  try {
    return await found;
  } catch (cause) {
    if (!(cause instanceof ApiError) || cause.code !== 'memory_not_found') throw cause;
    const said = [cause.message.replace(/\.$/, ''), await hint(client, at)].filter((part) => part !== '');
    throw new Refusal(said.join('. '), cause);
  }
}

async function hint(client: Client, { namespace, key }: Address): Promise<string> {
  const same = await namespacesWith(client, { namespace, key });
  if (same.length > 0) return `It is in ${same.map(inOneLine).join(', ')}: choose with -n`;
  const near = nearest(key, await keysOf(client, namespace)).map(inOneLine);
  if (near.length > 0) return `The nearest ${near.length === 1 ? 'key is' : 'keys are'} ${near.join(', ')}`;
  return (await sayElsewhere(client, namespace)) ?? '';
}

/** Other namespaces that have exactly this key: most often the namespace was left out. */
async function namespacesWith(client: Client, { namespace, key }: Address): Promise<string[]> {
  const { namespaces } = await client(listNamespaces, {});
  const others = namespaces
    .filter((one) => one.namespace !== namespace)
    .sort((a, b) => b.count - a.count)
    .slice(0, MOST_NAMESPACES);
  const found = await Promise.all(
    others.map(async (one) => {
      const query = { namespace: one.namespace, prefix: key, limit: 1 };
      return (await client(memoryKeys, { query })).keys[0] === key ? [one.namespace] : [];
    }),
  );
  return found.flat();
}

async function keysOf(client: Client, namespace: string): Promise<string[]> {
  const all: string[] = [];
  let after: string | undefined;
  do {
    const page = await client(memoryKeys, { query: { namespace, after, limit: 10_000 } });
    all.push(...page.keys);
    after = page.next ?? undefined;
  } while (after !== undefined && all.length < MOST_KEYS);
  return all;
}
