import { ApiError, type Client, createClient } from '@reverie/shared/client';
import { isLoopback } from '@reverie/shared/contract/loopback';
import { Problem, type ProblemCode } from '@reverie/shared/contract/problems';
import { fetchOver, type RelayAt, relayAgent, unreachable } from './relay-agent.ts';

/** How long the relay may take to answer, ms. */
const PATIENCE = 15_000;

/** A client of a relay's HTTP interface; what the relay refuses becomes a problem of ours. */
export function relayClient({ relay, ca }: RelayAt, key?: string): Client {
  const client = createClient({
    origin: relay,
    key: () => key,
    // Its connections are of one request: one that was kept may have gone dead with the network, and the next call would wait for it.
    fetch: fetchOver(relayAgent({ relay, ca })),
  });
  return async (route, sent) => {
    try {
      return await client(route, sent, { signal: AbortSignal.timeout(PATIENCE) });
    } catch (cause) {
      throw explain(relay, cause);
    }
  };
}

/** Whether a relay at an address may be sent secrets: nobody else reads them on their way. */
export function isSafeAddress(relay: string): boolean {
  if (!URL.canParse(relay)) return false;
  const { protocol, hostname } = new URL(relay);
  const isHere = isLoopback(hostname) || hostname.endsWith('.localhost');
  return protocol === 'https:' || (protocol === 'http:' && isHere);
}

/** A relay is sent this machine's key with every request; on this machine alone nobody else reads it on its way. */
export function refusePlainHttp(relay: string): void {
  if (isSafeAddress(relay)) return;
  const { hostname } = new URL(relay);
  throw new Problem(
    'invalid_request',
    `Plain http to ${hostname} would show everybody on the way this machine's key and what is shared. Give the https address of the relay (docs/relay.md says how it gets one), or reach it by a tunnel: ssh -L 8787:127.0.0.1:PORT ${hostname}, then link http://127.0.0.1:8787`,
  );
}

function explain(relay: string, cause: unknown): unknown {
  if (!(cause instanceof ApiError) || cause.code === 'unreachable')
    return new Problem('relay_unreachable', unreachable(relay, (cause as Error).cause ?? cause), { cause });
  if (cause.code === 'bad_reply')
    return new Problem('relay_refused', `${relay} does not answer as a relay does: ${cause.message}`, {
      cause,
    });
  return new Problem('relay_refused', `The relay refused: ${cause.message}`, { cause });
}

/** Whether a relay's refusal had one of these codes. */
export function wasRefusedWith(cause: unknown, ...codes: readonly ProblemCode[]): boolean {
  return (
    cause instanceof Problem &&
    cause.cause instanceof ApiError &&
    codes.some((code) => code === (cause.cause as ApiError).code)
  );
}

/** What the relay said of why it refused. */
export function detailOf(cause: unknown): string {
  const inner = cause instanceof Problem ? cause.cause : cause;
  return inner instanceof Error ? inner.message : String(inner);
}

/** The name of a namespace's room. The relay trims names and bounds their characters: what it would change is encoded. */
export function roomNameOf(namespace: string): string {
  if (namespace === namespace.trim() && !namespace.startsWith('%')) return namespace;
  return `%${Buffer.from(namespace, 'utf8').toString('base64url')}`;
}

export function namespaceOf(roomName: string): string {
  return roomName.startsWith('%') ? Buffer.from(roomName.slice(1), 'base64url').toString('utf8') : roomName;
}
