import { X509Certificate } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';
import tls from 'node:tls';
import { Problem } from '@reverie/shared/contract/problems';

/** Where a relay is, and the authorities (PEM) that its certificate may come from beside those of this machine. */
export interface RelayAt {
  relay: string;
  ca: string | null;
}

const LOOPBACK = /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/;

/** Whether a relay is on this machine. */
export function isOnThisMachine(relay: string): boolean {
  return LOOPBACK.test(new URL(relay).hostname);
}

/**
 * What makes connections to a relay, each of one request: they trust what this machine does (NODE_EXTRA_CA_CERTS, too) and the
 * relay's own authorities, and go through HTTPS_PROXY, but for NO_PROXY; never to a relay on this machine.
 */
export function relayAgent({ relay, ca }: RelayAt): http.Agent {
  const proxy = isOnThisMachine(relay) ? {} : { proxyEnv: process.env };
  if (!relay.startsWith('https:')) return new http.Agent(proxy);
  if (ca === null) return new https.Agent(proxy);
  return new https.Agent(Object.assign(proxy, { secureContext: trusting(ca) }));
}

let made: { ca: string; context: tls.SecureContext } | undefined;

/** What trusts this machine's authorities and others; kept, as it takes 20 ms to make. */
function trusting(ca: string): tls.SecureContext {
  if (made?.ca !== ca)
    made = { ca, context: tls.createSecureContext({ ca: [...tls.getCACertificates('default'), ca] }) };
  return made.context;
}

/** Throws `invalid_request` for a text in which there is something else than certificates: TLS would leave that out, and say nothing. */
export function refuseUnlessCertificates(ca: string): void {
  try {
    for (const [one] of ca.matchAll(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g))
      new X509Certificate(one);
  } catch (cause) {
    const message = `has a certificate that cannot be read: ${(cause as Error).message}`;
    throw new Problem('invalid_request', `ca ${message}`, { errors: [{ path: 'ca', message }], cause });
  }
}

/** A `fetch` over an agent, for small requests and answers in JSON. It follows no redirect, which could lead a key elsewhere. */
export function fetchOver(agent: http.Agent): typeof globalThis.fetch {
  return async (input, init) => {
    const { url, method, headers, body, signal } = new Request(input, init);
    const sent = body === null ? undefined : Buffer.from(await new Response(body).arrayBuffer());
    const request = (url.startsWith('https:') ? https : http).request(url, {
      method,
      agent,
      signal,
      headers: Object.fromEntries(headers),
    });
    const reply = await new Promise<http.IncomingMessage>((resolve, reject) => {
      request.on('response', resolve);
      request.on('error', reject);
      request.end(sent);
    });
    const status = reply.statusCode ?? 0;
    if (status >= 300 && status < 400) {
      reply.destroy();
      throw new Error(`It answered with a redirect (${status})`);
    }
    const parts: Buffer[] = [];
    for await (const part of reply) parts.push(part as Buffer);
    const given = new Headers();
    for (const [name, values = []] of Object.entries(reply.headersDistinct))
      for (const value of values) given.append(name, value);
    return new Response(parts.length === 0 ? null : Buffer.concat(parts), { status, headers: given });
  };
}

/** Nobody whom this machine trusts signed a certificate. */
const UNTRUSTED: readonly string[] = [
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_UNTRUSTED',
  'CERT_SIGNATURE_FAILURE',
];

/** What is wrong with the certificate of a relay, and what to do about it; undefined where that is not why it could not be reached. */
export function certificateTrouble(relay: string, cause: unknown): string | undefined {
  const { code, cert } = (cause ?? {}) as { code?: unknown; cert?: { subjectaltname?: string } };
  if (typeof code !== 'string') return undefined;
  if (UNTRUSTED.includes(code))
    return `The certificate of ${relay} is signed by nobody that this machine trusts (${code}). If it is meant to be so, have the file of its authority, or the certificate itself, from who runs the relay, and run \`reverie link ${relay} … --ca FILE\`, or start Reverie with NODE_EXTRA_CA_CERTS=FILE`;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return `The certificate of ${relay} is for another name (${cert?.subjectaltname ?? 'none'}). Link the name that it is for, or have who runs the relay get a certificate for ${new URL(relay).hostname}`;
  if (code === 'CERT_HAS_EXPIRED')
    return `The certificate of ${relay} has expired. Who runs the relay has to renew it; look at the clock of this machine, too`;
  if (code === 'CERT_NOT_YET_VALID')
    return `The certificate of ${relay} is not valid yet. Look at the clock of this machine, and at that of the relay`;
  return undefined;
}

/** Why a relay could not be reached, in a sentence. */
export function unreachable(relay: string, cause: unknown): string {
  const proxy = process.env['https_proxy'] ?? process.env['HTTPS_PROXY'] ?? '';
  const isProxied = proxy !== '' && relay.startsWith('https:') && !isOnThisMachine(relay);
  const way = isProxied ? ' through the proxy of HTTPS_PROXY (NO_PROXY excepts addresses from it)' : '';
  return certificateTrouble(relay, cause) ?? `The relay ${relay} does not answer${way}; try again later`;
}
