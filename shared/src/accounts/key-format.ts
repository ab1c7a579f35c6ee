import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** `live`: made on a machine by its owner; `bot`: by signup; `sandbox`: the public trial key; `operator`: of who runs a relay. */
export const keyKinds = ['live', 'bot', 'sandbox', 'operator'] as const;
export type KeyKind = (typeof keyKinds)[number];

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const BODY_LENGTH = 32;
const CHECK_LENGTH = 6;
const FORM = /^rv_(live|bot|sandbox|operator)_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/;

/** Characters of a key that are kept beside its hash, so that people can tell keys apart. */
export const KEY_PREFIX_LENGTH = 12;

/** CRC-32 of the text in base 62, padded to six digits (the convention of GitHub's tokens). */
function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let i = 0; i < CHECK_LENGTH; i += 1) {
    digits = DIGITS.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

/** 32 digits of base 62 from the system's random source, each equally likely (190 bits). */
function randomDigits(random: (bytes: number) => Buffer): string {
  let digits = '';
  while (digits.length < BODY_LENGTH) {
    // 248 is the largest multiple of 62 in a byte: what is above it would favour the first digits.
    for (const byte of random(48))
      if (byte < 248 && digits.length < BODY_LENGTH) digits += DIGITS.charAt(byte % 62);
  }
  return digits;
}

/** A new key: `rv_<kind>_<32 base62><6 base62 CRC-32 of the 32>`. */
export function makeKey(kind: KeyKind, random: (bytes: number) => Buffer = randomBytes): string {
  const body = randomDigits(random);
  return `rv_${kind}_${body}${checksum(body)}`;
}

/** Whether a text has the form and the checksum of a key; no database is asked. */
export function isKey(text: string): boolean {
  const parts = FORM.exec(text);
  return parts?.[2] !== undefined && checksum(parts[2]) === parts[3];
}

/** SHA-256 of a key: all that is stored of it. Keys are random, so no slow hash is needed. */
export function hashKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}
