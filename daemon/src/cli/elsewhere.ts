import type { Client } from '@reverie/shared/client';
import { listNamespaces } from '@reverie/shared/contract/memories';
import { inOneLine } from './print.ts';

/** Namespaces that are named. */
const NAMED = 5;

/**
 * Where memories are when a namespace holds none, which most often was left out or mistyped; undefined where it holds
 * some.
 */
export async function sayElsewhere(client: Client, namespace: string): Promise<string | undefined> {
  const { namespaces } = await client(listNamespaces, {});
  if (namespaces.some((one) => one.namespace === namespace)) return undefined;
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
