import type { Message } from '@reverie/shared/protocol/messages';

/** Messages of one connection, handled one after the other; while many wait, nothing more is read from the socket. */
export interface Turns {
  take(message: Message): void;
}

export interface TurnsDeps {
  handle: (message: Message) => Promise<void>;
  /** Whether the socket is to be left unread. */
  hold: (isHeld: boolean) => void;
  /** Whether the connection has ended: what waits is dropped. */
  isOver: () => boolean;
  failed: (cause: unknown) => void;
  /** What had come is handled, or was dropped. */
  done: () => void;
}

/** Messages that wait here before the socket is not read any more. */
const MOST_WAITING = 32;

export function createTurns({ handle, hold, isOver, failed, done }: TurnsDeps): Turns {
  const waiting: Message[] = [];
  let working = false;

  async function work(): Promise<void> {
    if (working) return;
    working = true;
    try {
      for (let message = waiting.shift(); message && !isOver(); message = waiting.shift()) {
        await handle(message);
        if (waiting.length === MOST_WAITING / 2) hold(false);
      }
      hold(false);
    } catch (cause) {
      failed(cause);
    } finally {
      working = false;
    }
    done();
  }

  return {
    take(message) {
      waiting.push(message);
      if (waiting.length >= MOST_WAITING) hold(true);
      void work();
    },
  };
}
