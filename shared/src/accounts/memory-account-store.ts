import type { AccountStore, NewSignup, Signup } from './account-store.ts';

/** Signups in memory: the twin of the stores on disk. @internal For tests and trials. */
export function createMemoryAccountStore(): AccountStore {
  const signups = new Map<string, NewSignup & { confirmedAt: number | null }>();
  let counted = { day: '', emails: new Map<string, number>() };

  const find = (tokenHash: Uint8Array) =>
    [...signups.values()].find((one) => Buffer.from(one.tokenHash).equals(tokenHash));

  return {
    async countSignup({ email, day, limit }) {
      if (counted.day !== day) counted = { day, emails: new Map() };
      const before = counted.emails.get(email) ?? 0;
      if (before >= limit) return false;
      counted.emails.set(email, before + 1);
      return true;
    },
    async create(signup) {
      signups.set(signup.account, { ...signup, confirmedAt: null });
    },
    async countProvisional() {
      return [...signups.values()].filter(({ confirmedAt }) => confirmedAt === null).length;
    },
    async findByToken(tokenHash): Promise<Signup | undefined> {
      const found = find(tokenHash);
      if (!found) return undefined;
      const { account, email, createdAt, expiresAt, confirmedAt, key } = found;
      return { account, email, tier: 'free', keyPrefix: key.prefix, createdAt, expiresAt, confirmedAt };
    },
    async confirm(tokenHash, at) {
      const found = find(tokenHash);
      if (!found || found.confirmedAt !== null || found.expiresAt <= at) return false;
      found.confirmedAt = at;
      return true;
    },
    async expiredBy(at, limit) {
      return [...signups.values()]
        .filter(({ confirmedAt, expiresAt }) => confirmedAt === null && expiresAt <= at)
        .sort((a, b) => a.expiresAt - b.expiresAt)
        .slice(0, limit)
        .map(({ account }) => account);
    },
    async remove(account) {
      signups.delete(account);
    },
  };
}
