import { createHmac } from 'node:crypto';

/** The bytes of a secret: base64 after `whsec_`, any other text as it is. */
function secretBytes(secret: string): Buffer {
  return secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : Buffer.from(secret, 'utf8');
}

/** The headers of an attempt as Standard Webhooks 1.0.0 says: HMAC-SHA256 of `id.timestamp.body`; `at` in ms. */
export function signedHeaders(
  secret: string,
  { id, at, body }: { id: string; at: number; body: Buffer },
): Record<string, string> {
  const timestamp = String(Math.floor(at / 1000));
  const signature = createHmac('sha256', secretBytes(secret))
    .update(`${id}.${timestamp}.`)
    .update(body)
    .digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}
