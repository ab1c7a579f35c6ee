import { z } from 'zod';

/** What a person changes that every window shows, by the first part of its query's key. */
const Changed = z.enum(['settings', 'namespaces']);
type Changed = z.infer<typeof Changed>;

const NAME = 'reverie.changed';

/** Tells the other windows of this browser, or of the app, what to ask for again; all others do when they are looked at. */
export function tellWindows(changed: Changed): void {
  const channel = new BroadcastChannel(NAME);
  channel.postMessage(changed);
  channel.close();
}

/** Hears what other windows tell. */
export function hearWindows(listener: (changed: Changed) => void): void {
  new BroadcastChannel(NAME).addEventListener('message', ({ data }) => {
    // A window of another version may speak otherwise; what is not understood is not for us.
    const changed = Changed.safeParse(data).data;
    if (changed) listener(changed);
  });
}
