/** Digits that nobody mistakes for another (Crockford's base 32). */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const ID_LENGTH = 4;
const SECRET_LENGTH = 8;

/** The limits of pairing. The secret has 40 bits; the name of the code beside it is no secret. */
export const pairingRules = { lifeMs: 600_000, wrongTries: 5 } as const;

/** A code in its two parts: which one it is, and what proves that somebody read it. */
export interface PairingCode {
  id: string;
  secret: string;
}

/** A new code out of 12 random bytes. */
export function makePairingCode(random: Uint8Array): PairingCode {
  // 256 is a multiple of 32: each digit is equally likely.
  const digits = Array.from(random, (byte) => DIGITS.charAt(byte % 32)).join('');
  return { id: digits.slice(0, ID_LENGTH), secret: digits.slice(ID_LENGTH, ID_LENGTH + SECRET_LENGTH) };
}

/** As people read it: `K7QM-3F9Z-T2XA`. */
export function showPairingCode({ id, secret }: PairingCode): string {
  return `${id}-${secret.slice(0, 4)}-${secret.slice(4)}`;
}

/** The code in what somebody typed: case, spaces, hyphens and the usual mistakes do not matter. */
export function readPairingCode(typed: string): PairingCode | undefined {
  const digits = typed.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1');
  const isCode =
    digits.length === ID_LENGTH + SECRET_LENGTH && [...digits].every((digit) => DIGITS.includes(digit));
  return isCode ? { id: digits.slice(0, ID_LENGTH), secret: digits.slice(ID_LENGTH) } : undefined;
}

/** A code as it stands. */
export interface OpenCode {
  wrongTries: number;
  expiresAt: number;
}

/** What a try with the right or the wrong secret comes to. */
export function tryCode(
  code: OpenCode | undefined,
  { isRight, now }: { isRight: boolean; now: number },
): 'admitted' | 'wrong' | 'dead' {
  if (!code || code.expiresAt <= now || code.wrongTries >= pairingRules.wrongTries) return 'dead';
  return isRight ? 'admitted' : 'wrong';
}
