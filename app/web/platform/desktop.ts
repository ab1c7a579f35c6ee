import type { Cursor } from './daemon/connection.ts';
import type { SocketEvents } from './daemon/live.ts';

/** Whether the page runs in the desktop app, which serves it, forwards its calls and signs it in. */
export const isInApp = globalThis.location?.protocol === 'app:';

/** The stream as lines over `fetch`: the app opens the WebSocket itself, to a daemon that proved who it is. */
export function openLines(token: string): (cursor: Cursor, events: SocketEvents) => () => void {
  return (cursor, events) => {
    const over = new AbortController();
    const { signal } = over;
    const end = () => {
      if (!signal.aborted) events.closed();
    };
    // Only the app needs it: a page in a browser does not load it. Where it does not come, the stream is closed, and tried again.
    void import('./daemon/app-stream.ts')
      .then(({ readStream }) => readStream(token, cursor, { events, signal }))
      .then(end, end);
    return () => over.abort();
  };
}
