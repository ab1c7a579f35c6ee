import type { AccountId } from '@reverie/shared/accounts/caller';
import { removeForgotten } from '@reverie/shared/accounts/signup';
import type { Config } from '../config/config.ts';
import type { Store } from '../db/open-store.ts';
import { isProvisional } from '../features/accounts/account-status.ts';
import { accountRoutes } from '../features/accounts/accounts.routes.ts';
import { type AccountsDeps, emptyAccount, removeAccount } from '../features/accounts/accounts.service.ts';
import { findAccountByPublicId } from '../features/accounts/accounts.store.ts';
import type { authenticate } from '../features/accounts/authenticate.ts';
import { confirmationMail } from '../features/accounts/signup/confirmation-mail.ts';
import { emptySandbox, ensureSandbox } from '../features/accounts/signup/sandbox.ts';
import { keyRoutes } from '../features/accounts/keys.routes.ts';
import type { KeysDeps } from '../features/accounts/keys.service.ts';
import type { OpenConnections } from '../platform/open-connections.ts';
import { createTickets } from '../features/accounts/page-sessions.service.ts';
import { signupRoutes } from '../features/accounts/signup/signup.routes.ts';
import { createSignupStore } from '../features/accounts/signup/signups.service.ts';
import { writeMemory } from '../features/memories/memories.service.ts';
import { findMemory, toMemory } from '../features/memories/memories.store.ts';
import { everyMemory } from '../features/memories/reading/reading.service.ts';
import { createTextIndex } from '../features/search/index/index.store.ts';
import type { MemoryDeps } from '../features/memories/deps.ts';
import type { Clock } from '../platform/clock.ts';
import type { Home } from '../platform/home/home.ts';
import type { Log } from '../platform/log.ts';
import { createMailer } from '../platform/mail/mail.ts';
import { createOutbox } from '../platform/mail/mail-outbox.ts';
import type { Part } from './parts.ts';
import type { Quotas } from './quotas.ts';
import type { Search } from './search/search.ts';
import type { Webhooks } from './webhooks.ts';

export interface AccountsParts {
  config: Config;
  store: Store;
  clock: Clock;
  log: Log;
  home: Home;
  world: AccountsWorld;
}

/** What accounts need of the rest. */
export interface AccountsWorld {
  /** The address under which people reach this server, without `/v1`. */
  baseUrl: () => string;
  /** The password of the mail server. */
  smtpPassword: () => Promise<string | undefined>;
  memories: MemoryDeps;
  quotas: Quotas;
  /** What is known of keys is forgotten when it is not true any more. */
  auth: Pick<ReturnType<typeof authenticate>, 'forget'>;
  /** What a deleted or emptied account leaves in memory. */
  search: Pick<Search, 'forget'>;
  webhooks: Pick<Webhooks, 'changed'>;
  connections: Pick<OpenConnections, 'changed'>;
}

export interface Accounts extends Part {
  /** The public key of the sandbox, while it is open. */
  readonly sandboxKey: string | undefined;
}

const MINUTE = 60_000;
/** Tables that an emptied sandbox keeps: its key goes on working. */
const KEPT_BY_SANDBOX = ['api_keys'];

/** Joins the parts of accounts: signing up, keys, the sandbox, and the owner's view of them. */
export function createAccounts({ config, store, clock, log, home, world }: AccountsParts): Accounts {
  const { known, usage, buckets } = world.quotas;
  const mailer = createMailer({ ...config.mail, password: world.smtpPassword });
  const outbox = createOutbox({
    folder: home.outbox,
    mailer,
    clock,
    log,
    addressOf(id) {
      const account = store.read((db) => findAccountByPublicId(db, id));
      const isWaiting = account && isProvisional(account) && (account.expires_at ?? 0) > clock.now();
      return isWaiting ? (account.email ?? undefined) : undefined;
    },
  });

  const changed = (account: AccountId) => {
    known.forget(account);
    world.auth.forget();
  };
  const accounts: AccountsDeps = {
    store,
    clock,
    usage,
    changed,
    emptied(account, left) {
      outbox.drop(account.public_id);
      world.search.forget(account.id, left.namespaces);
      for (const webhookId of left.webhooks) world.webhooks.changed(account.id, webhookId);
      for (const keyId of left.keys) world.connections.changed(keyId);
    },
  };
  const signups = createSignupStore({
    store,
    prepare: createTextIndex,
    changed(id) {
      changed(id);
      outbox.drop(known.of(id).public_id);
    },
    remove: (account) => removeAccount(accounts, account),
  });
  const sandbox = config.sandbox.enabled ? ensureSandbox({ store, clock }, createTextIndex) : undefined;

  /** Empties the sandbox and deletes who was forgotten; what cannot be done now is tried again in a minute. */
  async function sweep(): Promise<void> {
    try {
      if (sandbox) {
        const account = known.of(sandbox.account);
        const isEmptied = emptySandbox({ store, clock }, (db) => {
          emptyAccount(db, accounts, { account, keep: KEPT_BY_SANDBOX });
          createTextIndex(db, account.id);
        });
        if (isEmptied) store.checkpoint();
      }
      const forgotten = await removeForgotten({ store: signups, now: clock.now() }, 100);
      if (forgotten.length > 0)
        log.info({ accounts: forgotten.length }, 'accounts that nobody confirmed were deleted');
    } catch (err) {
      log.warn({ err }, 'accounts could not be swept; it is tried again');
    }
  }

  const keys: KeysDeps = {
    store,
    clock,
    home,
    changed(id) {
      world.auth.forget();
      world.connections.changed(id);
    },
  };
  return {
    sandboxKey: sandbox?.key,
    async serve({ http, mount }) {
      keyRoutes(mount, keys, createTickets({ clock }));
      await signupRoutes(http, {
        clock,
        store: signups,
        isOpen: config.signup.enabled,
        signups: buckets.signups,
        baseUrl: world.baseUrl,
        mail: ({ account, ...mail }) => outbox.add(account, confirmationMail(mail)),
      });
      accountRoutes(mount, {
        ...accounts,
        outbox,
        memories: adopted(world.memories),
        canSend: mailer.canSend,
      });
    },
    start() {
      const timer = clock.every(MINUTE, () => void sweep());
      const stopOutbox = outbox.start();
      void sweep();
      return () => {
        stopOutbox();
        timer.stop();
      };
    },
  };
}

/** Memories as adopting sees them: written by their one writer, with the event named after what is done. */
function adopted(memories: MemoryDeps): Parameters<typeof accountRoutes>[1]['memories'] {
  return {
    every: (account, wanted) => everyMemory(memories, account, wanted),
    find(db, at) {
      const row = findMemory(db, at);
      return row && toMemory(row);
    },
    merge(db, { into, from, memory, actor }) {
      const { key, value, namespace, metadata, created_at, updated_at, expires_at } = memory;
      const merging: MemoryDeps = {
        ...memories,
        // It was counted where it was written.
        quota: { stored: () => undefined },
        events: {
          ...memories.events,
          record: (inner, event) =>
            memories.events.record(inner, { ...event, type: 'memory.merge', before: { ...from } }),
        },
      };
      writeMemory(db, merging, {
        author: { account: into, actor, origin: 'local' },
        item: { key, value, namespace, metadata, created_at, updated_at, expires_at },
      });
    },
  };
}
