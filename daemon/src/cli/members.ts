import type { Client } from '@reverie/shared/client';
import { listMembers, type Member } from '@reverie/shared/contract/sync/sharing';
import { Refusal } from '../platform/home/home.ts';
import { count, inOneLine } from './print.ts';

/** What became of open invites, as the end of a line. */
export function voided(ended: number, which?: string): string {
  if (ended === 0) return '';
  const kind = which === undefined ? '' : ` ${which}`;
  return ` ${count(ended, 'open invite', 'open invites')}${kind} stopped working: make new ones for whom you want in.`;
}

/** What is said to who left a namespace. */
export const leftLine = (namespace: string): string =>
  `You left ${inOneLine(namespace)} with all your devices; its memories stay here, and get nothing new.`;

/** A member by e-mail address or id; a `Refusal` that names who is in where there is none. */
export async function memberOf(
  client: Client,
  namespace: string,
  given: string,
): Promise<Member & { name: string }> {
  const { members } = await client(listMembers, { query: { namespace } });
  const wanted = given.trim().toLowerCase();
  const found =
    members.find(({ id }) => id === given.trim()) ??
    members.find(({ email }) => email?.toLowerCase() === wanted);
  if (found) return { ...found, name: inOneLine(found.email ?? found.id) };
  throw new Refusal(
    `There is no member ${inOneLine(given)} in ${inOneLine(namespace)}; in it are ${members.map(({ email, id }) => inOneLine(email ?? id)).join(', ')}`,
  );
}
