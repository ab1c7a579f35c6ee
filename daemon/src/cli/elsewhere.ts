import type { Client } from '@reverie/shared/client';
import { listNamespaces } from '@reverie/shared/contract/memories/memories';
import { EVERY_NAMESPACE } from '@reverie/shared/contract/fields';
import type { Elsewhere } from '@reverie/shared/contract/search/search';
import { inOneLine } from './print.ts';

/** Namespaces that are named. */
const NAMED = 5;

/**
 * Where memories are when a namespace holds none, which most often was left out or mistyped; undefined where it holds
 * some.
 */
export async function sayElsewhere(client: Client, namespace: string): Promise<string | undefined> {
  const { namespaces } = await client(listNamespaces, {});
  const isThere = namespaces.some((one) => namespace === EVERY_NAMESPACE || one.namespace === namespace);
  if (isThere) return undefined;
  const empty = `${inOneLine(namespace)} holds no memories`;
  if (namespaces.length === 0)
    return `${empty}, nor does any other namespace. \`reverie import ~/notes\` brings your own.`;
  const largest = [...namespaces]
    .sort((a, b) => b.count - a.count)
    .slice(0, NAMED)
    .map((one) => `${inOneLine(one.namespace)} (${one.count.toLocaleString('en-GB')})`);
  const more = namespaces.length > NAMED ? ` and ${namespaces.length - NAMED} more` : '';
  return `${empty}; there are some in ${largest.join(', ')}${more}: choose one with -n.`;
}

/** The line that says where else more is found, and how to look there; undefined where nothing is. */
export function sayMore(
  { elsewhere = [] }: { elsewhere?: readonly Elsewhere[] | undefined },
  command: 'search' | 'ask',
): string | undefined {
  const [first] = elsewhere;
  if (!first) return undefined;
  const names = elsewhere.map(({ namespace }) => inOneLine(namespace)).join(', ');
  const quoted = /^[\w/.:-]+$/.test(first.namespace) ? first.namespace : `'${inOneLine(first.namespace)}'`;
  const there = elsewhere.length === 1 ? `--namespace ${quoted}` : '--everywhere';
  return `More in ${names}: reverie ${command} … ${there}`;
}
