import type { Event } from '@reverie/shared/contract/events/events';
import { counted } from '../tray/state.ts';
import type { Facts } from '../tray/facts.ts';
import type { NoticeKind } from '../settings/settings.ts';

/** Something that a person may want to hear of at once, and where it can be seen. */
export interface NoticeText {
  kind: NoticeKind;
  title: string;
  body: string;
  place: string;
}

/**
 * What to tell a person of an event, if anything. It names namespaces alone and shows no content, since a lock screen shows notifications.
 */
export function tellingOfEvent({ type, namespace, data: { after } }: Event): NoticeText | undefined {
  if (type === 'dream.completed') {
    const insights = typeof after?.['insights'] === 'number' ? after['insights'] : 0;
    if (insights === 0) return undefined;
    return {
      kind: 'proposals',
      // How many wait is another number: some only come up, and others were there before.
      title: `A dream noticed ${counted(insights, 'thing')}`,
      body: `It looked through ${namespace}. Nothing is changed before you decide.`,
      place: `/dreams?${new URLSearchParams({ namespace }).toString()}`,
    };
  }
  if (type === 'channel.message' && after?.['kind'] === 'invite')
    return {
      kind: 'invites',
      title: 'An invite came',
      body: `It waits in the inbox of ${namespace}.`,
      place: `/inbox?${new URLSearchParams({ namespace }).toString()}`,
    };
  return undefined;
}

/** What to tell a person of changes between two looks at the daemon that no event reports; nothing on the first look. */
export function tellingsOfFacts(before: Facts | undefined, now: Facts): NoticeText[] {
  if (!before) return [];
  const isNew = now.deadLetter !== undefined && now.deadLetter !== before.deadLetter;
  const known = new Set(before.waiting.map(({ id }) => id));
  return [
    ...(isNew
      ? [
          {
            kind: 'deliveries' as const,
            title: 'A delivery failed for good',
            body: 'A webhook was tried to the end. It can be sent again.',
            place: '/webhooks',
          },
        ]
      : []),
    ...now.waiting
      .filter(({ id }) => !known.has(id))
      .map(({ name }) => ({
        kind: 'invites' as const,
        title: 'A device asks to be let in',
        body: `“${name}” wants to sync with your memories.`,
        place: '/sync',
      })),
  ];
}

/** Shorter than this, agents have waited and nobody has missed anything, ms. */
const WORTH_TELLING_MS = 15_000;

/** What to tell a person once the daemon is back after `ms` milliseconds; undefined where that was too short to matter. */
export function tellingOfDowntime(ms: number): NoticeText | undefined {
  if (ms < WORTH_TELLING_MS) return undefined;
  const minutes = Math.round(ms / 60_000);
  const howLong =
    minutes < 1
      ? `${Math.round(ms / 1000)} seconds`
      : minutes < 120
        ? counted(minutes, 'minute')
        : `${Math.round(minutes / 60)} hours`;
  return {
    kind: 'downtime',
    title: 'Your memory was down',
    body: `Reverie did not run for ${howLong}. It is back, and nothing that was stored is lost.`,
    place: '/status',
  };
}
