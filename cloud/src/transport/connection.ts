import { toFrames } from '@reverie/shared/protocol/frames';
import { type ErrorCode, errorCodes, type ErrorIs, type Message } from '@reverie/shared/protocol/messages';
import { encode } from '@reverie/shared/protocol/wire';
import type { WebSocket } from 'ws';
import type { Metrics } from '../metrics.ts';

/** A device's open connection: a thin shell around its socket. */
export interface DeviceConnection {
  readonly device: string;
  readonly account: string;
  /** False once it is closing: nothing is sent any more. */
  isOpen(): boolean;
  send(message: Message): void;
  /** Sends a message that was encoded for many. */
  sendFrames(frames: readonly Uint8Array[]): void;
  /** Bytes that wait for the other side to take them. */
  buffered(): number;
  /** Resolves when little waits, or it is closed; always after a turn of the event loop. */
  drained(): Promise<void>;
  /** Tells of a refusal of an entry or a room. */
  refuse(error: Omit<ErrorIs, 'type' | 'retryAfterMs'> & { retryAfterMs?: number }): void;
  /** Tells why, and closes with the code. */
  close(code: ErrorCode, detail: string, retryAfterMs?: number): void;
  /** Reads nothing more from the socket until the answered function is called, and all others like it. */
  pause(): () => void;
}

/** Bytes that may wait to leave before a reader counts as slow; it goes on at `LITTLE`. */
export const SLOW_ABOVE = 1024 * 1024;
const LITTLE = 256 * 1024;
const LOOK_MS = 10;

/** How long a socket may take to close by itself. */
const CLOSING_MS = 5000;

export function createConnection(
  socket: WebSocket,
  { device, account, metrics }: { device: string; account: string; metrics: Metrics },
): DeviceConnection {
  let isClosing = false;
  let pauses = 0;
  const isOpen = () => !isClosing && socket.readyState === socket.OPEN;

  const connection: DeviceConnection = {
    device,
    account,
    isOpen,
    send: (message) => connection.sendFrames(toFrames(encode(message))),
    sendFrames(frames) {
      if (!isOpen()) return;
      for (const frame of frames) {
        socket.send(frame);
        metrics.sentBytes.inc(frame.length);
      }
    },
    buffered: () => socket.bufferedAmount,
    async drained() {
      await new Promise((resolve) => setImmediate(resolve));
      while (isOpen() && socket.bufferedAmount > LITTLE)
        await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    },
    refuse({ retryAfterMs = 0, ...error }) {
      metrics.refused.inc({ code: error.code });
      connection.send({ type: 'error', ...error, retryAfterMs });
    },
    close(code, detail, retryAfterMs = 0) {
      if (!isOpen()) return;
      connection.send({ type: 'error', code, detail, retryAfterMs });
      isClosing = true;
      metrics.closed.inc({ code });
      socket.close(errorCodes[code], code);
      setTimeout(() => socket.terminate(), CLOSING_MS).unref();
    },
    pause() {
      pauses += 1;
      socket.pause();
      return () => {
        pauses -= 1;
        if (pauses === 0) socket.resume();
      };
    },
  };
  return connection;
}
