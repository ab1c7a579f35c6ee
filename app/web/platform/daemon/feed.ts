import type { Event } from '@reverie/shared/contract/events/events';

/** An event as it happens; `missed` where some were lost, so that what was shown has to be fetched anew. */
export type FeedNews = Event | 'missed';

const listeners = new Set<(news: FeedNews) => void>();

/** The events of the stream, for views that show each of them. */
export const feed = {
  tell: (news: FeedNews): void => {
    for (const listener of [...listeners]) listener(news);
  },
  /** Returns how to stop listening. */
  listen: (listener: (news: FeedNews) => void): (() => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
};
