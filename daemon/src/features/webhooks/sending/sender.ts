import type { IncomingMessage } from 'node:http';
import type { LookupFunction } from 'node:net';
import { retryAfter } from '@reverie/shared/contract/retry-after';
import { codeOf } from '../../../db/failures.ts';
import type { Clock } from '../../../platform/clock.ts';
import { type AddressPolicy, isOfMachine, literalAddress, NO_TARGET } from './address-rules.ts';
import { checkedAddresses, RefusedAddress, type TargetRules } from './target.ts';

// Importing them would read every name that they export, `WebSocket` among them, and load all of undici at start.
const http = process.getBuiltinModule('node:http');
const https = process.getBuiltinModule('node:https');

/** What an attempt came to. `cut` is one that we ended ourselves; it counts for nothing. */
export type AttemptOutcome =
  | { kind: 'answered'; status: number; response: string; retryAfterMs: number | null }
  | { kind: 'failed'; error: string }
  | { kind: 'cut' };

export interface Sending {
  headers: Record<string, string>;
  body: Buffer;
  signal: AbortSignal;
}

/** Sends to one URL, over connections of its own, so that no other receiver waits for it. */
export interface Sender {
  send(sending: Sending): Promise<AttemptOutcome>;
  close(): void;
}

export interface SenderDeps {
  clock: Clock;
  rules: TargetRules;
  timeoutMs: number;
}

const MAX_READ = 64 * 1024;
const SNIPPET = 1024;
/** An answer's status counts as soon as it is there; its body may take this long, or is given up. */
const BODY_TIME = 1000;

export function createSender(
  { clock, rules, timeoutMs }: SenderDeps,
  url: URL,
  policy: AddressPolicy,
): Sender {
  const secure = url.protocol === 'https:';
  // Every new connection looks its address up, checks it and goes to what was checked, to nothing else.
  const lookup: LookupFunction = (_host, options, done) => {
    checkedAddresses(rules, url, policy).then(
      (addresses) => {
        const [first] = addresses;
        if (options.all) done(null, addresses);
        else if (first) done(null, first.address, first.family);
        else done(new RefusedAddress(`${url.hostname} has no address`), '');
      },
      (cause: unknown) => done(cause instanceof Error ? cause : new Error(String(cause)), ''),
    );
  };
  const tell = isOfMachine(policy) ? describe : describeToOthers;
  const agent = new (secure ? https : http).Agent({ keepAlive: true });

  function attempt(sending: Sending, fresh: boolean): Promise<AttemptOutcome | 'stale'> {
    return new Promise((resolve) => {
      if (sending.signal.aborted) return resolve({ kind: 'cut' });
      const request = (secure ? https : http).request(url, {
        method: 'POST',
        headers: { ...sending.headers, 'content-length': sending.body.length },
        agent: fresh ? false : agent,
        lookup,
      });
      const timer = clock.every(timeoutMs, () =>
        end({ kind: 'failed', error: `No answer within ${timeoutMs / 1000} s` }),
      );
      const cut = () => end({ kind: 'cut' });
      let ended = false;
      const end: End = (outcome, isWhole = false) => {
        if (ended) return;
        ended = true;
        timer.stop();
        sending.signal.removeEventListener('abort', cut);
        resolve(outcome);
        // A connection whose answer was read to its end is used again.
        if (!isWhole) request.destroy();
      };
      sending.signal.addEventListener('abort', cut);
      request.on('response', (response) => readReply(response, clock, end));
      request.on('error', (cause: NodeJS.ErrnoException) => {
        // The receiver closed an idle connection in the moment in which it was used again: no failure of its.
        const wasIdle = !fresh && request.reusedSocket && ['ECONNRESET', 'EPIPE'].includes(cause.code ?? '');
        end(wasIdle ? 'stale' : { kind: 'failed', error: tell(cause) });
      });
      request.end(sending.body);
    });
  }

  return {
    async send(sending) {
      try {
        // The look-up is left out for a literal address, so that one is checked here.
        if (literalAddress(url) !== undefined) await checkedAddresses(rules, url, policy);
        const outcome = await attempt(sending, false);
        if (outcome !== 'stale') return outcome;
        const second = await attempt(sending, true);
        return second === 'stale' ? { kind: 'failed', error: 'The connection was closed' } : second;
      } catch (cause) {
        return { kind: 'failed', error: tell(cause) };
      }
    },
    close: () => agent.destroy(),
  };
}

type End = (outcome: AttemptOutcome | 'stale', isWhole?: boolean) => void;

/** Reads at most 64 KiB of an answer; whoever sends more, or drips, loses the connection, not the answer. */
function readReply(response: IncomingMessage, clock: Clock, end: End): void {
  const pieces: Buffer[] = [];
  let read = 0;
  const finish = () => {
    patience.stop();
    const { statusCode = 0, headers, complete } = response;
    const outcome: AttemptOutcome = {
      kind: 'answered',
      status: statusCode,
      response: snippetOf(Buffer.concat(pieces)),
      retryAfterMs: retryAfter(headers['retry-after'], clock.now()),
    };
    end(outcome, complete);
  };
  const patience = clock.every(BODY_TIME, finish);
  response.on('data', (piece: Buffer) => {
    if (read < SNIPPET) pieces.push(piece.subarray(0, SNIPPET - read));
    read += piece.length;
    if (read > MAX_READ) finish();
  });
  response.on('end', finish);
  response.on('error', finish);
  response.on('close', finish);
}

function snippetOf(bytes: Buffer): string {
  return bytes.toString('utf8').replaceAll('\u0000', '\ufffd');
}

/** The first of several failures: of the addresses of a name, say. */
function firstOf(cause: unknown): unknown {
  return cause instanceof AggregateError ? (cause.errors[0] as unknown) : cause;
}

/** What failed, without what the name resolves to, or whether it does. */
function describeToOthers(cause: unknown): string {
  const inner = firstOf(cause);
  const syscall = inner instanceof Error && 'syscall' in inner ? inner.syscall : undefined;
  if (inner instanceof RefusedAddress || syscall === 'getaddrinfo') return `The URL ${NO_TARGET}`;
  return syscall === 'connect' ? `The connection failed: ${codeOf(inner) || 'no reason'}` : describe(inner);
}

function describe(cause: unknown): string {
  const inner = firstOf(cause);
  const message = inner instanceof Error ? inner.message || inner.name : String(inner);
  return message.slice(0, 500);
}
