import type { Received } from '@reverie/shared/contract/route';
import { today, type todayParts } from '@reverie/shared/contract/memories/today';
import type { QueryFunctionContext } from '@tanstack/react-query';
import { call, tokenNow } from '../daemon/api.ts';
import { midnightOf, readersDay } from '../readers-clock.ts';

/** What a person looks at first; each part is there where it was asked for. */
export type Today = Received<typeof today>;
export type TodayPart = (typeof todayParts)[number];

interface Asking {
  /** In whose name: what one person is told is nobody else's. */
  whose: string | undefined;
  parts: Set<TodayPart>;
  reply: Promise<Today>;
}

/** Is sent at the end of this turn, with what is asked for until then. */
let gathering: Asking | undefined;
/** The last one that was sent, while it is not answered. */
let underWay: Asking | undefined;

/** The midnight before the last one, in the reader's time zone, ms. */
export function startOfYesterday(now: number): number {
  const day = readersDay(now);
  return midnightOf(new Date(day.getFullYear(), day.getMonth(), day.getDate() - 1)).getTime();
}

/** Asks for parts of Today, together with whatever else is asked for in the same turn. */
export function askToday(parts: readonly TodayPart[]): Promise<Today> {
  if (gathering?.whose !== tokenNow()) gathering = undefined;
  gathering ??= gather();
  for (const part of parts) gathering.parts.add(part);
  return gathering.reply;
}

function gather(): Asking {
  const asking: Asking = {
    whose: tokenNow(),
    parts: new Set(),
    reply: Promise.resolve().then(() => send(asking)),
  };
  return asking;
}

async function send(asking: Asking): Promise<Today> {
  if (gathering === asking) gathering = undefined;
  underWay = asking;
  const now = Date.now();
  try {
    const told = await call(today, {
      query: {
        decided_since: midnightOf(readersDay(now)).toISOString(),
        done_since: new Date(startOfYesterday(now)).toISOString(),
        parts: [...asking.parts].join(','),
      },
    });
    if (asking.whose !== tokenNow()) throw new Error('The session ended before Reverie answered');
    return told;
  } finally {
    if (underWay === asking) underWay = undefined;
  }
}

/** The answer that is on its way to whoever is signed in now, where it has a part. */
function replyUnderWay(name: TodayPart): Promise<Today> | undefined {
  return underWay?.whose === tokenNow() && underWay?.parts.has(name) ? underWay.reply : undefined;
}

/** A part of Today that is on its way; undefined where it is not. */
export async function partUnderWay<Name extends TodayPart>(name: Name): Promise<Today[Name] | undefined> {
  return (await replyUnderWay(name))?.[name];
}

/** A part of Today for a query. What is known to be out of date is asked for anew, else an answer that is on its way will do. */
export async function partOfToday<Name extends TodayPart>(
  name: Name,
  { client, queryKey }: Pick<QueryFunctionContext, 'client' | 'queryKey'>,
): Promise<Exclude<Today[Name], undefined>> {
  const isOld = client.getQueryState(queryKey)?.isInvalidated === true;
  const reply = (isOld ? undefined : replyUnderWay(name)) ?? askToday([name]);
  const part = (await reply)[name];
  if (part === undefined) throw new Error(`Reverie did not say what ${name} is`);
  return part as Exclude<Today[Name], undefined>;
}
