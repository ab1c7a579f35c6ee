import type { Ability, Scope } from '../contract/route.ts';

declare const accountBrand: unique symbol;
/** The internal number of an account; only the store of accounts makes one. */
export type AccountId = number & { readonly [accountBrand]: true };

/** What a key is for: the two files of a home, made by a person, or the page's, whose sessions call in its name. */
export type KeyPurpose = 'owner_file' | 'api_file' | 'made' | 'page';

/** A key as it is stored: never its text. Times in milliseconds since 1970, UTC. */
export interface KeyRow {
  id: string;
  account: AccountId;
  name: string;
  scope: Scope;
  /** Patterns of the namespaces that it has; null for all. */
  namespaces: readonly string[] | null;
  /** What it may do of what its scope has; null for all. */
  can: readonly Ability[] | null;
  purpose: KeyPurpose;
  key_prefix: string;
  created_at: number;
  last_used_at: number | null;
  expires_at: number | null;
  revoked_at: number | null;
}

/** Whether a namespace may be read, by its name. */
export type Readable = (namespace: string) => boolean;

/** Who makes a request: the account it is about, and the key it came with. */
export interface Caller {
  account: AccountId;
  publicId: string;
  key: KeyRow;
  /** The session of the page that it came with; null for a key. */
  session: string | null;
  /** Whether its key has a namespace; what asks for every namespace looks into no other. */
  readable: Readable;
  /** The same for a query, as the SQL function `has_namespace` takes it: null for a key that has all of them. */
  within: string | null;
}
