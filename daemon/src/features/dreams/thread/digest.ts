import { createHash } from 'node:crypto';

/** SHA-256 (hex) of a text spelled alike: NFKC, lower case, runs of white space one space. */
export function digestOf(value: string): string {
  const alike = value.normalize('NFKC').toLowerCase().replaceAll(/\s+/gu, ' ').trim();
  return createHash('sha256').update(alike).digest('hex');
}

/** The part of a digest (hex) by which a memory counts as read: 16 bytes. */
export function readDigest(digest: string): Buffer {
  return Buffer.from(digest.slice(0, 32), 'hex');
}
