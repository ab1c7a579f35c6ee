import type { AccountId } from '@reverie/shared/accounts/caller';
import type { EntryKind, SessionRole } from '@reverie/shared/contract/sessions/sessions';
import type { WriteDb } from '../../../db/open-store.ts';
import type { EntryRow } from '../entries.store.ts';
import type { SessionRow } from '../sessions.store.ts';
import type { SessionRecord } from './record.ts';

/** The relay's room of a shared session, as it is known here. */
export interface SessionRoom {
  room: string;
  account: AccountId;
  /** The id of the session. */
  about: string;
  role: SessionRole;
  /** The newest record that was read. */
  cursor: number;
  /** The newest record that the relay told of. */
  head: number;
  /** The device of its first record: what the session's agent does is told by it alone. */
  host: string | null;
}

export interface SessionMember {
  id: string;
  email: string | null;
  role: SessionRole;
  you: boolean;
}

/** Rooms of the relay as sharing needs them; those that ask the relay throw `not_linked`, `relay_unreachable` and `relay_refused`. */
export interface SessionRooms {
  open(account: AccountId, session: string): Promise<string>;
  invite(
    room: string,
    session: string,
    wanted: { role: 'viewer' | 'editor'; expires_in: number },
  ): Promise<{ invite: string; expires_at: string }>;
  invites(
    room: string,
  ): Promise<readonly { id: string; role: SessionRole; created_at: string; expires_at: string }[]>;
  revoke(room: string, invite: string): Promise<void>;
  members(room: string): Promise<readonly SessionMember[]>;
  remove(room: string, member: string): Promise<number>;
  leave(room: string): Promise<void>;
  accept(account: AccountId, link: string): Promise<{ room: string; about: string; role: SessionRole }>;
  about(account: AccountId, session: string): SessionRoom | undefined;
  /** Puts a record on its way, in the transaction of the caller. */
  add(db: WriteDb, room: SessionRoom, body: Uint8Array): void;
  /** Forgets a room here. */
  forget(db: WriteDb, room: string): void;
  /** Records that the relay has not confirmed. */
  pending(room: string): number;
  /** This device, as the relay calls it; undefined where it is linked to none. */
  device(): string | undefined;
}

/** What of an entry is looked through for secrets before it leaves. */
export interface LeavingText {
  kind: EntryKind;
  item: string;
  text: string;
  tool: string | null;
  call: string | null;
  files: readonly string[];
  author_id: string;
  author_name: string;
  author_agent: string | null;
  reply_to: string | null;
  format: string;
}

/** A secret that was named somewhere, and the rule that found it. */
export interface KnownSecret {
  value: string;
  rule: string;
}

/** Why an entry stays on this machine. */
export type Withheld = 'other' | 'binary' | 'unreadable' | 'too_large';

/** An entry as it may leave, with the rules that found something in it; or why it stays. */
export type Looked =
  { kind: 'clean'; entry: LeavingText; rules: readonly string[] } | { kind: 'withheld'; why: Withheld };

/** Takes secrets out of what leaves. It fails closed: what could not be looked through stays. */
export interface Redaction {
  /** `folder`: the working folder of its session, which is a dot in its text. */
  entry(
    entry: LeavingText,
    within: { folder: string | null; known: readonly KnownSecret[] },
  ): Promise<Looked>;
  /** Texts that are looked through together. Throws where they could not be. */
  texts(
    texts: readonly string[],
    known: readonly KnownSecret[],
  ): Promise<{ texts: string[]; rules: readonly string[] }>;
  /** The secrets that are named in texts. */
  learn(texts: readonly string[]): Promise<readonly KnownSecret[]>;
}

/** What is told of a session itself, with secrets taken out, and which rules found one. */
export interface LeavingSession {
  record: SessionRecord;
  rules: readonly string[];
}

/** What leaves of a session, with secrets taken out: also those that are named elsewhere in it. */
export interface Leaver {
  /** An entry, which is looked through once. */
  looked(session: SessionRow, row: EntryRow): Promise<Looked>;
  /** Texts of a session that are looked through together. Throws where they could not be looked through. */
  texts(
    session: SessionRow,
    texts: readonly string[],
  ): Promise<{ texts: string[]; rules: readonly string[] }>;
  /** The session itself. Throws where it could not be looked through. */
  session(session: SessionRow): Promise<LeavingSession>;
}
