import { NOTES_SOCKET_HEADER } from '@reverie/shared/contract/sessions/session-sharing';
import { z } from 'zod';
import { linesOf } from './lines.ts';

/** What the app says of a socket, a line each (`app/electron/bridge/notes.ts`). */
const Said = z.union([
  z.strictObject({ socket: z.string() }),
  z.strictObject({ data: z.base64() }),
  z.strictObject({ close: z.int() }),
]);

/** The close of a connection that was lost (RFC 6455, 7.4.1). */
const LOST = 1006;

/**
 * As much of a WebSocket as y-websocket uses, over `fetch`: a page in the desktop app can open none, so that the app opens it, to a daemon
 * that proved who it is. Takes the same address and subprotocols, the key among them.
 */
export class AppSocket {
  readonly OPEN = 1;
  readyState = 0;
  binaryType = 'arraybuffer';
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: Uint8Array }) => void) | null = null;
  onclose: ((event: { code: number; reason: string }) => void) | null = null;
  onerror: (() => void) | null = null;

  readonly #path: string;
  readonly #authorization: string;
  readonly #over = new AbortController();
  #id = '';
  /** Messages leave one after the other, in the order in which they were given. */
  #sent: Promise<unknown> = Promise.resolve();

  constructor(address: string | URL, protocols: string | string[] = []) {
    this.#path = new URL(address).pathname;
    const key = [protocols].flat().find((one) => one.startsWith('bearer.'));
    this.#authorization = `Bearer ${key?.slice('bearer.'.length) ?? ''}`;
    this.#read().then(
      (code) => this.#end(code),
      () => this.#end(LOST),
    );
  }

  send(data: Uint8Array<ArrayBuffer>): void {
    this.#sent = this.#sent
      .then(() => this.#ask({ method: 'POST', body: data, headers: { [NOTES_SOCKET_HEADER]: this.#id } }))
      .catch(() => this.#end(LOST));
  }

  /** What was sent before still leaves: that one is gone, for others to see. */
  close(): void {
    this.readyState = 2;
    void this.#sent.then(() => this.#end(1000));
  }

  /** Reads until the socket is closed; answers the code. */
  async #read(): Promise<number> {
    const { body } = await this.#ask({});
    if (!body) return LOST;
    for await (const line of linesOf(body)) {
      const said = Said.parse(JSON.parse(line));
      if ('close' in said) return said.close;
      if ('data' in said) this.onmessage?.({ data: bytesOf(said.data) });
      else {
        this.#id = said.socket;
        this.readyState = this.OPEN;
        this.onopen?.();
      }
    }
    return LOST;
  }

  async #ask({ headers = {}, ...init }: RequestInit & { headers?: Record<string, string> }) {
    const reply = await fetch(this.#path, {
      ...init,
      headers: { ...headers, Authorization: this.#authorization },
      signal: this.#over.signal,
    });
    if (!reply.ok) throw new Error(`the app answered with ${reply.status}`);
    return reply;
  }

  #end(code: number): void {
    if (this.#over.signal.aborted) return;
    this.#over.abort();
    this.readyState = 3;
    this.onclose?.({ code, reason: '' });
  }
}

function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (one) => one.charCodeAt(0));
}
