import { Argument } from 'commander';
import type { Client } from '@reverie/shared/client';
import {
  type CodingSession,
  getSession,
  listSessions,
  SessionId,
} from '@reverie/shared/contract/sessions/sessions';
import { inOneLine } from '../print.ts';
import { UsageError } from '../terminal.ts';

/** Sessions that are looked at for the beginning of an id, those that were written to last. */
const PAGES = 25;
const PAGE = 200;
/** Shorter than this a beginning says nothing. */
const LEAST = 6;

export const sessionArgument = () =>
  new Argument('<id>', 'as in `reverie sessions`; its beginning does where no other has it');

/** The session that an id or the beginning of one names. Throws `UsageError` where it names several, and what the daemon says where it names none. */
export async function sessionOf(client: Client, given: string): Promise<CodingSession> {
  if (SessionId.safeParse(given).success || given.length < LEAST || !given.startsWith('cs_'))
    return client(getSession, { params: { id: given } });
  const found = await beginningWith(client, given);
  const [first, second] = found;
  if (first === undefined) return client(getSession, { params: { id: given } });
  if (second === undefined) return first;
  const some = found.slice(0, 5).map(({ id, title }) => `  ${id}  ${inOneLine(title)}`);
  throw new UsageError(
    `${given} is the beginning of ${found.length} ids; give more of it:\n${some.join('\n')}`,
  );
}

async function beginningWith(client: Client, given: string): Promise<CodingSession[]> {
  const found: CodingSession[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < PAGES; page += 1) {
    const reply = await client(listSessions, {
      query: { subagents: 'true', limit: PAGE, ...(cursor !== undefined && { cursor }) },
    });
    found.push(...reply.sessions.filter(({ id }) => id.startsWith(given)));
    if (reply.next === null) break;
    cursor = reply.next;
  }
  return found;
}
