import { createHmac } from 'node:crypto';
import type { AccountId, Caller } from '@reverie/shared/accounts/caller';
import { Problem } from '@reverie/shared/contract/problems';
import * as contract from '@reverie/shared/contract/system';
import { type Mount, PlainText } from '@reverie/shared/http/mount';
import type { LogState } from '@reverie/shared/sqlite/log-emptying';
import type { Store } from '../../db/open-store.ts';
import { type BackupDeps, createBackup } from './backup.service.ts';
import type { Metrics } from './metrics.ts';

/** What the daemon knows of itself. */
export interface SystemDeps {
  version: string;
  startedAt: string;
  logId: string;
  isStopping: () => boolean;
  /** Chunks that wait for their vector. */
  pending: () => number;
  /** Memories whose facts are still to be found, of one account or of all. */
  factsPending: (account?: AccountId) => number;
  /** How finding facts does, and the memories on whose text it hung or broke. */
  facts: {
    state: () => State & { readonly skipped: readonly { readonly id: number }[] };
    skipped: (account: AccountId) => { namespace: string; key: string }[];
  };
  /** Whether the disk takes what is written, and whether what was deleted is out of the write-ahead log. */
  storage: { room: Store['room']; log: () => LogState };
  /** How what makes vectors does. */
  embedderState: () => State;
  /** The language model that questions are answered with, else the one of dreams, and how its server does. */
  languageModel: () => (State & { readonly model: string }) | undefined;
  contents: (caller: Caller) => { memories: number; namespaces: number; bytes: number };
  embedder: (caller: Caller) => {
    model: string;
    dimensions: number;
    embedded: number;
    total: number;
    recutting: number;
  };
  /** The text of the owner key's file, read when it is needed. */
  ownerKey: () => string;
  nonce: string;
  backup: BackupDeps;
  metrics: Metrics;
  /** Whether an account is the machine's own: its owner sees what is of all accounts. */
  isMachine: (account: AccountId) => boolean;
}

/** Whether a server of a model answers, since when, and what is wrong. */
interface State {
  readonly state: 'ok' | 'down';
  readonly since: number;
  readonly error: string | null;
}

/** `mountAtRoot` serves a route without `/v1` too, where monitors look for it. */
export function systemRoutes(mount: Mount<Caller>, mountAtRoot: Mount<Caller>, deps: SystemDeps): void {
  const ofMachine = ({ key }: Caller) => {
    if (!deps.isMachine(key.account))
      throw new Problem(
        'forbidden_scope',
        "Only the owner of this machine may: the key is another account's",
      );
  };
  /** The embedder's state: one that is well may have to catch up. */
  const embedderState = (pending: number) => {
    const found = deps.embedderState();
    const state = found.state === 'ok' && pending > 0 ? ('catching_up' as const) : found.state;
    return { state, since: new Date(found.since).toISOString(), error: found.error };
  };
  const languageModel = () => {
    const found = deps.languageModel();
    if (!found) return null;
    const { model, state, since, error } = found;
    return { model, state, since: new Date(since).toISOString(), error };
  };
  const facts = () => {
    const { state, since, error } = deps.facts.state();
    return { state, since: new Date(since).toISOString(), error };
  };
  const iso = (ms: number) => new Date(ms).toISOString();
  const storage = () => {
    const [room, log] = [deps.storage.room(), deps.storage.log()];
    return {
      state: room.kind === 'full' ? ('full' as const) : ('ok' as const),
      since: room.kind === 'full' ? iso(room.since) : null,
      log_waits_since: log.kind === 'waiting' ? iso(log.since) : null,
    };
  };
  mountAtRoot(contract.health, () => ({
    status: deps.isStopping() ? ('stopping' as const) : ('ready' as const),
    indexing: { pending: deps.pending(), facts_pending: deps.factsPending() },
    facts: { ...facts(), skipped: deps.facts.state().skipped.map(({ id }) => id) },
    embedder: embedderState(deps.pending()),
    language_model: languageModel(),
    storage: storage(),
  }));
  mount(contract.identity, ({ query }) => ({
    proof: createHmac('sha256', deps.ownerKey()).update(`${deps.nonce}.${query.challenge}`).digest('hex'),
  }));
  mount(contract.status, ({ caller }) => {
    const { recutting, ...embedder } = deps.embedder(caller);
    const pending = embedder.total - embedder.embedded + recutting;
    return {
      version: deps.version,
      started_at: deps.startedAt,
      ...deps.contents(caller),
      log_id: deps.logId,
      embedder: { ...embedder, ...embedderState(pending) },
      language_model: languageModel(),
      storage: storage(),
      indexing: {
        pending,
        facts_pending: deps.factsPending(caller.account),
      },
      facts: {
        ...facts(),
        skipped: deps.facts.skipped(caller.account).filter(({ namespace }) => caller.readable(namespace)),
      },
    };
  });
  mount(contract.createBackup, ({ body, caller }) => {
    ofMachine(caller);
    return createBackup(deps.backup, body);
  });
  mountAtRoot(contract.metrics, async ({ caller }) => {
    ofMachine(caller);
    const { text, type } = await deps.metrics.text();
    return new PlainText(text, type);
  });
}
