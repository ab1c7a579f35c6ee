import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { errorCodes } from './messages.ts';
import { samples } from './testing/samples.ts';
import { limits, PROTOCOL_VERSION } from './version.ts';
import { encode } from './wire.ts';

test('the bytes of every message are those of this version: a change needs a new number, then a new hash', () => {
  const hash = createHash('sha256').update(JSON.stringify([limits, errorCodes]));
  for (const message of samples) hash.update(encode(message));
  expect({ version: PROTOCOL_VERSION, hash: hash.digest('hex').slice(0, 16) }).toEqual({
    version: 4,
    hash: '648785f1ee66a27c',
  });
});
