import type { AccountId, Caller } from '@reverie/shared/accounts/caller';
import { removeForgotten, signupRules } from '@reverie/shared/accounts/signup';
import type { Mount } from '@reverie/shared/http/mount';
import { createAddressBuckets } from '@reverie/shared/http/rate-limit';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/config.ts';
import type { Store, WriteDb } from '../db/open-store.ts';
import { isProvisional } from '../features/accounts/account-status.ts';
import { accountRoutes } from '../features/accounts/accounts.routes.ts';
import { type AccountsDeps, emptyAccount, removeAccount } from '../features/accounts/accounts.service.ts';
import { type Account, findAccountByPublicId } from '../features/accounts/accounts.store.ts';
import { createAddressCounts } from '../features/accounts/address-counts.ts';
import type { AddressCount } from '../features/accounts/addresses.store.ts';
import { type Buckets, WRONG_KEYS_WINDOW_S } from '../features/accounts/authenticate.ts';
import { confirmationMail } from '../features/accounts/confirmation-mail.ts';
import { createKnownAccounts } from '../features/accounts/known-accounts.ts';
import { emptySandbox, ensureSandbox, sandboxRules } from '../features/accounts/sandbox.ts';
import { signupRoutes } from '../features/accounts/signup.routes.ts';
import { createSignupStore } from '../features/accounts/signups.service.ts';
import { isStore, keepWithin, makeRoom, measureProvisional } from '../features/accounts/storage.ts';
import { createUsage, type Usage } from '../features/accounts/usage.ts';
import type { RecordEvent } from '../features/events/events.service.ts';
import { writeMemory } from '../features/memories/memories.service.ts';
import { findMemory, toMemory } from '../features/memories/memories.store.ts';
import { everyMemory } from '../features/memories/reading.service.ts';
import { createTextIndex } from '../features/search/index.store.ts';
import type { Clock, Stop } from '../platform/clock.ts';
import type { Home } from '../platform/home.ts';
import type { Log } from '../platform/log.ts';
import { createMailer } from '../platform/mail.ts';
import { createOutbox } from '../platform/mail-outbox.ts';

export interface AccountsParts {
  config: Config;
  store: Store;
  clock: Clock;
  log: Log;
  home: Pick<Home, 'outbox'>;
  world: AccountsWorld;
}

/** What accounts need of the rest. */
export interface AccountsWorld {
  /** The address under which people reach this server, without `/v1`. */
  baseUrl: () => string;
  /** The password of the mail server. */
  smtpPassword: () => Promise<string | undefined>;
  /** Told when what is known of keys and accounts is not true any more. */
  forgetKeys: () => void;
  /** Told what a deleted or emptied account leaves in memory. */
  emptied: (account: AccountId, left: { namespaces: number[]; webhooks: string[]; keys: string[] }) => void;
}

export interface Accounts {
  usage: Usage;
  buckets: Buckets;
  /** The public key of the sandbox, while it is open. */
  sandboxKey: string | undefined;
  /** Counts what an event stores, and refuses what is too much, before it is written. */
  counted(record: RecordEvent): RecordEvent;
  /** Counts what no event tells of, and refuses what is too much. */
  makeRoom(db: WriteDb, account: AccountId, bytes: number): void;
  serve(http: FastifyInstance, mount: Mount<Caller>, memories: Memories): Promise<void>;
  start(): Stop;
}

/** The memories' own writer. */
type Memories = Parameters<typeof writeMemory>[1];

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Tables that an emptied sandbox keeps: its key goes on working. */
const KEPT_BY_SANDBOX = ['api_keys'];

/** Joins the parts of accounts: signing up, quotas, the sandbox, and the owner's view of them. */
export function createAccounts({ config, store, clock, log, home, world }: AccountsParts): Accounts {
  const known = createKnownAccounts(store);
  const usage = createUsage({
    store,
    clock,
    log,
    own: {
      machine: config.limits.requests_per_day,
      enterprise: config.limits.enterprise_requests_per_day,
    },
  });
  const addressCounts = (what: AddressCount, limit: number, windowMs: number) =>
    createAddressCounts({ store, clock, log }, { what, limit, windowMs });
  const sandboxCounts = addressCounts('sandbox', sandboxRules.requestsPerAddress, sandboxRules.windowMs);
  const signupCounts = addressCounts('signups', signupRules.perAddressAndHour, HOUR);
  const buckets: Buckets = {
    anonymous: createAddressBuckets({ limit: config.limits.anonymous_per_hour }),
    foreign: createAddressBuckets({ limit: config.limits.anonymous_per_hour }),
    wrongKeys: createAddressBuckets({
      limit: config.limits.wrong_keys_per_second,
      windowMs: WRONG_KEYS_WINDOW_S * 1000,
    }),
    sandbox: sandboxCounts.buckets,
    signups: signupCounts.buckets,
  };
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
    world.forgetKeys();
  };
  const accounts: AccountsDeps = {
    store,
    clock,
    usage,
    changed,
    emptied(account, left) {
      outbox.drop(account.public_id);
      world.emptied(account.id, left);
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

  function measure(): void {
    try {
      measureProvisional(store);
    } catch (err) {
      log.warn({ err }, 'what unconfirmed accounts hold could not be measured; it is tried again in an hour');
    }
  }

  return {
    usage,
    buckets,
    sandboxKey: sandbox?.key,
    counted: (record) => (db, event) => {
      const account: Account = known.of(event.account);
      if (isStore(event)) usage.stored(db, account);
      keepWithin(db, account, event);
      record(db, event);
    },
    makeRoom: (db, account, bytes) => makeRoom(db, known.of(account), bytes),
    async serve(http, mount, memories) {
      await signupRoutes(http, {
        clock,
        store: signups,
        isOpen: config.signup.enabled,
        signups: buckets.signups,
        baseUrl: world.baseUrl,
        mail: ({ account, ...mail }) => outbox.add(account, confirmationMail(mail)),
      });
      accountRoutes(mount, { ...accounts, memories: adopted(memories), outbox, canSend: mailer.canSend });
    },
    start() {
      const timers = [clock.every(MINUTE, () => void sweep()), clock.every(HOUR, measure)];
      const stopOutbox = outbox.start();
      void sweep();
      return () => {
        stopOutbox();
        for (const counts of [sandboxCounts, signupCounts]) counts.stop();
        for (const timer of timers) timer.stop();
      };
    },
  };
}

/** Memories as adopting sees them: written by their one writer, with the event named after what is done. */
function adopted(memories: Memories): Parameters<typeof accountRoutes>[1]['memories'] {
  return {
    every: (account, wanted) => everyMemory(memories, account, wanted),
    find(db, at) {
      const row = findMemory(db, at);
      return row && toMemory(row);
    },
    merge(db, { into, from, memory, actor }) {
      const { key, value, namespace, metadata, created_at, updated_at, expires_at } = memory;
      const merging: Memories = {
        ...memories,
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
