import type { Event } from '@reverie/shared/contract/events/events';
import type { Clock } from '../clock.ts';

/** The namespaces that changed, in their memories and in their inboxes; and whether webhooks or dreams did. */
export interface Changes {
  memories: ReadonlySet<string>;
  inboxes: ReadonlySet<string>;
  webhooks: boolean;
  dreams: boolean;
}

interface Gathering {
  clock: Clock;
  /** Gets what changed; `all` where events were missed. */
  onChange: (changed: Changes | 'all') => void;
}

/** Events come in bursts: the first is told almost at once, then one time a second is enough. */
const SOON_MS = 60;
const EVERY_MS = 1_000;

/** Gathers events into what has to be fetched again. */
export function gatherChanges({ clock, onChange }: Gathering) {
  const memories = new Set<string>();
  const inboxes = new Set<string>();
  let webhooks = false;
  let dreams = false;
  let isAll = false;
  let cancel: (() => void) | undefined;
  let toldAt = Number.NEGATIVE_INFINITY;

  const tell = () => {
    cancel = undefined;
    toldAt = clock.now();
    const changed = isAll
      ? 'all'
      : { memories: new Set(memories), inboxes: new Set(inboxes), webhooks, dreams };
    memories.clear();
    inboxes.clear();
    webhooks = false;
    dreams = false;
    isAll = false;
    onChange(changed);
  };
  const soon = () => {
    cancel ??= clock.after(Math.max(SOON_MS, toldAt + EVERY_MS - clock.now()), tell);
  };
  return {
    add: ({ type, namespace, data }: Event) => {
      if (type.startsWith('memory.')) memories.add(namespace);
      else if (type.startsWith('dream.') || type.startsWith('insight.')) dreams = true;
      else if (type === 'channel.message') inboxes.add(namespace);
      // The daemon's own channel, on which it tells that it turned one off.
      else if (type === 'channel.publish' && data.after?.['channel'] === 'webhooks') webhooks = true;
      else return;
      soon();
    },
    missed: () => {
      isAll = true;
      soon();
    },
    stop: () => cancel?.(),
  };
}
