import type { Tier } from '../contract/accounts/accounts.ts';

/** What signing up makes in one step: an account that nobody confirmed, and its first key. Times in ms since 1970. */
export interface NewSignup {
  /** `acc_` and a ULID. */
  account: string;
  email: string;
  createdAt: number;
  /** When its keys stop, unless it is confirmed before. */
  expiresAt: number;
  /** SHA-256 of the token that stands in the mail. */
  tokenHash: Uint8Array;
  key: {
    id: string;
    /** SHA-256 of the key. */
    hash: Uint8Array;
    prefix: string;
  };
}

/** A signup as it stands. */
export interface Signup {
  account: string;
  email: string;
  tier: Tier;
  keyPrefix: string;
  createdAt: number;
  expiresAt: number;
  confirmedAt: number | null;
}

/** Where signups are kept: in the daemon's database, in the relay's, or in memory. Each method is atomic. */
export interface AccountStore {
  /**
   * Counts a signup of an e-mail address on a day, unless `limit` were counted already; answers whether it was.
   * What is counted outlives a restart, and is forgotten with the day.
   */
  countSignup(signup: { email: string; day: string; limit: number }): Promise<boolean>;
  create(signup: NewSignup): Promise<void>;
  /** Accounts that nobody confirmed, expired ones that are still kept among them. */
  countProvisional(): Promise<number>;
  findByToken(tokenHash: Uint8Array): Promise<Signup | undefined>;
  /** Makes an account and its key permanent; false where it is confirmed already, gone, or its time was over at `at`. */
  confirm(tokenHash: Uint8Array, at: number): Promise<boolean>;
  /** Accounts that nobody confirmed and whose keys stopped at this time or before, the oldest first. */
  expiredBy(at: number, limit: number): Promise<string[]>;
  /** Deletes an account with everything that hangs on it; does nothing for one that is gone. */
  remove(account: string): Promise<void>;
}
