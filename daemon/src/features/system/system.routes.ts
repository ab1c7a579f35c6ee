import { createHmac } from 'node:crypto';
import type { AccountId, Caller } from '@reverie/shared/accounts/caller';
import { Problem } from '@reverie/shared/contract/problems';
import * as contract from '@reverie/shared/contract/system';
import { type Mount, PlainText } from '@reverie/shared/http/mount';
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
  contents: (account: AccountId) => { memories: number; namespaces: number; bytes: number };
  embedder: (account: AccountId) => { model: string; dimensions: number; embedded: number; total: number };
  /** The text of the owner key's file, read when it is needed. */
  ownerKey: () => string;
  nonce: string;
  backup: BackupDeps;
  metrics: Metrics;
  /** Whether an account is the machine's own: its owner sees what is of all accounts. */
  isMachine: (account: AccountId) => boolean;
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
  mountAtRoot(contract.health, () => ({
    status: deps.isStopping() ? ('stopping' as const) : ('ready' as const),
    indexing: { pending: deps.pending(), facts_pending: deps.factsPending() },
  }));
  mount(contract.identity, ({ query }) => ({
    proof: createHmac('sha256', deps.ownerKey()).update(`${deps.nonce}.${query.challenge}`).digest('hex'),
  }));
  mount(contract.status, ({ caller }) => {
    const embedder = deps.embedder(caller.account);
    return {
      version: deps.version,
      started_at: deps.startedAt,
      ...deps.contents(caller.account),
      log_id: deps.logId,
      embedder,
      indexing: {
        pending: embedder.total - embedder.embedded,
        facts_pending: deps.factsPending(caller.account),
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
