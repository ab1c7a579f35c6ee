import { retryAfter } from '@reverie/shared/contract/retry-after';
import { errorCodes, type Message } from '@reverie/shared/protocol/messages';
import { createAssembler, toFrames } from '@reverie/shared/protocol/frames';
import { limits } from '@reverie/shared/protocol/version';
import { decode, encode, ProtocolError } from '@reverie/shared/protocol/wire';
import { WebSocket } from 'ws';
import type { Ending } from './link-state.ts';
import { certificateTrouble, type RelayAt, relayAgent } from './relay-agent.ts';

/** A socket to the relay that speaks messages. */
export interface RelayConnection {
  send(message: Message): void;
  /** Bytes that wait to leave. */
  waiting(): number;
  /** Stops reading for a while: the relay then waits. */
  hold(held: boolean): void;
  close(): void;
}

export interface ConnectionOptions extends RelayAt {
  key: string;
  opened: () => void;
  /** Messages in order. */
  message: (message: Message) => void;
  /** Told once, also where it never opened. */
  closed: (ending: { code: Ending; detail: string; retryAfterMs: number }) => void;
}

/** How long a connection may take to open, ms. */
const OPENING = 10_000;
/** Nothing heard for so long, not even a ping: the other side is not there. The relay says how often it is heard at least. */
const SILENCE = 75_000;
const SHORTEST_SILENCE = 1000;
const MISSED = 2.5;

/** Opens a connection; what ends it is told to `closed`. */
export function openConnection({ relay, ca, key, ...on }: ConnectionOptions): RelayConnection {
  const address = `${relay.replace(/^http/, 'ws')}/v1/sync`;
  const socket = new WebSocket(address, {
    headers: { Authorization: `Bearer ${key}` },
    maxPayload: limits.frame,
    perMessageDeflate: false,
    agent: relayAgent({ relay, ca }),
    followRedirects: false,
    handshakeTimeout: OPENING,
  });
  const assembler = createAssembler();
  let ended = false;
  let heard = Date.now();
  let last: { code: Ending; detail: string; retryAfterMs: number } | undefined;

  let watch = watching(SILENCE);

  function watching(silence: number): NodeJS.Timeout {
    return setInterval(() => {
      if (Date.now() - heard > silence) end('silent', 'The relay has gone silent');
      else if (socket.readyState === WebSocket.OPEN) socket.ping();
    }, silence / 4).unref();
  }

  function end(code: Ending, detail: string, retryAfterMs = 0): void {
    if (ended) return;
    ended = true;
    clearInterval(watch);
    socket.terminate();
    on.closed({ code, detail, retryAfterMs });
  }

  socket.on('open', on.opened);
  socket.on('ping', () => (heard = Date.now()));
  socket.on('pong', () => (heard = Date.now()));
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    heard = Date.now();
    if (ended || !isBinary) return;
    try {
      const whole = assembler.push(data);
      if (!whole) return;
      const message = decode(whole);
      if (message.type === 'welcome') {
        clearInterval(watch);
        const silence = Math.max(SHORTEST_SILENCE, message.heartbeatMs * MISSED);
        watch = watching(Math.min(SILENCE, silence));
      }
      // Said before the relay closes for this reason.
      if (message.type === 'error' && message.room === undefined && message.entry === undefined)
        last = { code: message.code, detail: message.detail, retryAfterMs: message.retryAfterMs };
      on.message(message);
    } catch (cause) {
      if (!(cause instanceof ProtocolError)) throw cause;
      end('malformed', `The relay said what this version does not understand: ${cause.message}`);
    }
  });
  socket.on('unexpected-response', (_request, response) => {
    const status = response.statusCode ?? 0;
    const detail = `The relay answered ${status}`;
    if (status === 401) end('revoked', 'The relay does not know this device any more');
    else if (status === 403) end('forbidden', detail);
    else if (status === 429)
      end('rate_limited', detail, retryAfter(response.headers['retry-after'], Date.now()) ?? 0);
    else end('later', detail);
  });
  socket.on('error', (cause) => {
    const trouble = certificateTrouble(relay, cause);
    if (trouble === undefined) end('unreachable', `The relay does not answer: ${reasonOf(cause)}`);
    else end('certificate', trouble);
  });
  socket.on('close', (code, reason) => {
    if (last) return end(last.code, last.detail, last.retryAfterMs);
    const named = Object.entries(errorCodes).find(([, number]) => number === code)?.[0];
    end(
      (named as Ending | undefined) ?? 'later',
      reason.toString() || `The relay closed the connection (${code})`,
    );
  });

  return {
    send(message) {
      if (ended || socket.readyState !== WebSocket.OPEN) return;
      for (const frame of toFrames(encode(message))) socket.send(frame);
    },
    waiting: () => socket.bufferedAmount,
    hold: (held) => (held ? socket.pause() : socket.resume()),
    close() {
      if (ended) return;
      ended = true;
      clearInterval(watch);
      socket.close(1000);
      setTimeout(() => socket.terminate(), 1000).unref();
    },
  };
}

function reasonOf(cause: Error): string {
  const { code } = cause as { code?: unknown };
  return typeof code === 'string' ? code : cause.message;
}
