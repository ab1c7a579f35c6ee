import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { runs } from '@reverie/shared/testing/depth';
import { signedHeaders } from './signature.ts';

describe('the signature', () => {
  test('is that of the reference vector', () => {
    const headers = signedHeaders('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', {
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      at: 1_614_265_330_000,
      body: Buffer.from('{"test": 2432232314}'),
    });
    expect(headers).toEqual({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  test('is of the second that has begun, never of one to come', () => {
    for (const at of [1_614_265_330_000, 1_614_265_330_001, 1_614_265_330_999])
      expect(signedHeaders('whsec_AAAA', { id: 'm', at, body: Buffer.from('{}') })).toMatchObject({
        'webhook-timestamp': '1614265330',
      });
  });

  test('property: the library verifies every body with either form of secret; a changed one fails', () => {
    const secret = fc.oneof(
      fc.uint8Array({ minLength: 8, maxLength: 64 }).map((bytes) => ({
        text: `whsec_${Buffer.from(bytes).toString('base64')}`,
        // One byte more in front: at the end it could be a zero, which HMAC adds to short keys itself (RFC 2104, 2).
        other: `whsec_${Buffer.from([1, ...bytes]).toString('base64')}`,
        webhook: (text: string) => new Webhook(text),
      })),
      fc
        .string({ minLength: 8, unit: 'grapheme' })
        .filter((text) => !text.startsWith('whsec_'))
        .map((text) => ({
          text,
          other: `x${text}`,
          webhook: (raw: string) => new Webhook(new TextEncoder().encode(raw), { format: 'raw' }),
        })),
    );
    fc.assert(
      fc.property(secret, fc.json(), ({ text, other, webhook }, json) => {
        const body = JSON.stringify({ json });
        const headers = signedHeaders(text, { id: 'evt_1', at: Date.now(), body: Buffer.from(body) });
        expect(webhook(text).verify(body, headers)).toEqual({ json });
        expect(() => webhook(text).verify(`${body} `, headers)).toThrow();
        expect(() => webhook(text).verify(body, { ...headers, 'webhook-id': 'evt_2' })).toThrow();
        expect(() => webhook(other).verify(body, headers)).toThrow();
      }),
      { numRuns: runs(50, 500) },
    );
  });

  test('an old one fails', () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const old = signedHeaders(secret, { id: 'evt_1', at: Date.now() - 6 * 60_000, body: Buffer.from('{}') });
    expect(() => new Webhook(secret).verify('{}', old)).toThrow(/too old/);
  });
});
