import type { Role } from '@reverie/shared/protocol/messages';
import type { AuditKind } from '@reverie/shared/contract/relay/relay-operator';
import type { Steps } from '../db/records.ts';
import { countRecent, insertAudit, repeatAudit } from './audit.store.ts';

/** Who did something: a device of an account, the account where no device is known, or who runs the relay, by a key or the command. */
export type Actor = { account: string; device?: string | undefined } | { operator: string };

/** Something that was done on the relay. It holds ids, never a secret, a name, or anything of a memory. */
export interface AuditEvent {
  kind: AuditKind;
  /** Milliseconds since 1970. */
  at: number;
  /** Left out where it happened by itself, or nobody knows who it was. */
  by?: Actor;
  /** About whom: an account, and one of its devices. */
  account?: string | undefined;
  device?: string | undefined;
  room?: string | undefined;
  /** The id of the invite, the request or the operator's key that it is about. */
  subject?: string | undefined;
  /** The role that was given. */
  role?: Role | undefined;
}

/** Rows that the acts of one account have in an hour; what it does beyond them is counted in the last row of the kind. */
export const ROWS_AN_HOUR = 200;
const HOUR = 3_600_000;

/** Writes down what was done, as a part of the transaction that does it. */
export function* audit(event: AuditEvent): Steps<void> {
  const { by, at, kind } = event;
  if (by && 'account' in by) {
    const isFull = (yield* countRecent(by.account, { since: at - HOUR, most: ROWS_AN_HOUR })) >= ROWS_AN_HOUR;
    if (isFull && (yield* repeatAudit(by.account, { kind, at, since: at - HOUR }))) return;
  }
  yield* insertAudit({
    at,
    kind,
    by_account: by && 'account' in by ? by.account : null,
    by_device: (by && 'account' in by ? by.device : undefined) ?? null,
    by_operator: by && 'operator' in by ? by.operator : null,
    account: event.account ?? null,
    device: event.device ?? null,
    room: event.room ?? null,
    subject: event.subject ?? null,
    role: event.role ?? null,
    address: null,
    times: 1,
  });
}
