import type { AccountId } from '@reverie/shared/accounts/caller';
import type { Author } from '@reverie/shared/contract/author';
import type { Actor } from '@reverie/shared/contract/events/events';
import type { ReadDb } from './open-store.ts';

/** Tells who a writer of an account is, by its `writerOf`; undefined where that was not kept, or nobody else ever wrote here. */
export type NameAuthor = (writer: string | null) => Author | undefined;

/** An actor as it is kept beside what it wrote. */
export function writerOf({ kind, id }: Actor): string {
  return `${kind}:${id}`;
}

/** Names the writers of an account by what the relay told last, also when it is out of reach; each is looked up once. */
export function authorsOf(db: Pick<ReadDb, 'prepare'>, account: AccountId): NameAuthor {
  const known = new Map<string, Author | undefined>();
  return (writer) => {
    if (writer === null) return undefined;
    // Keys, dreams and upkeep write here, whichever they are.
    const device = writer.startsWith('device:') ? writer.slice('device:'.length) : null;
    if (known.has(device ?? '')) return known.get(device ?? '');
    const author = device === null ? ofThisMachine(db, account) : ofDevice(db, account, device);
    known.set(device ?? '', author);
    return author;
  };
}

/** The e-mail address of who writes into an account on this machine; undefined where it is not linked. */
export function personHere(db: Pick<ReadDb, 'prepare'>, account: AccountId): string | undefined {
  return ofThisMachine(db, account)?.person ?? undefined;
}

function ofThisMachine(db: Pick<ReadDb, 'prepare'>, account: AccountId): Author | undefined {
  const link = db
    .prepare<[number], { device: string | null; device_name: string; email: string | null }>(
      'SELECT device, device_name, email FROM sync_links WHERE account = ?',
    )
    .get(account);
  const own = db
    .prepare<[number], { email: string | null }>(
      'SELECT email FROM known_writers WHERE account = ? ORDER BY own DESC LIMIT 1',
    )
    .get(account);
  if (!link && !own) return undefined;
  const { device = null, device_name = null, email = null } = link ?? {};
  return {
    id: device,
    person: email ?? (link ? (own?.email ?? null) : null),
    device: device_name,
    self: true,
  };
}

function ofDevice(db: Pick<ReadDb, 'prepare'>, account: AccountId, device: string): Author {
  const here = ofThisMachine(db, account);
  if (here?.id === device) return here;
  const row = db
    .prepare<[number, string], { name: string; email: string | null; own: number }>(
      'SELECT name, email, own FROM known_writers WHERE account = ? AND device = ?',
    )
    .get(account, device);
  return {
    id: device,
    person: row?.email ?? null,
    device: row?.name ?? null,
    self: row?.own === 1,
  };
}
