import type { AccountId, Caller } from '@reverie/shared/accounts/caller';
import * as contract from '@reverie/shared/contract/system/system';
import { type Mount, PlainText } from '@reverie/shared/http/mount';
import { refuseForeign } from '../../platform/refuse-foreign.ts';
import { type BackupDeps, createBackup } from './backup.service.ts';
import type { Metrics } from './metrics.ts';
import { health, type KnownOfItself, proofFor, status } from './system.service.ts';

export interface SystemDeps extends KnownOfItself {
  backup: BackupDeps;
  metrics: Metrics;
  /** Whether an account is the machine's own: its owner sees what is of all accounts. */
  isMachine: (account: AccountId) => boolean;
}

/** `mountAtRoot` serves a route without `/v1` too, where monitors look for it. */
export function systemRoutes(mount: Mount<Caller>, mountAtRoot: Mount<Caller>, deps: SystemDeps): void {
  const ofMachine = ({ key }: Caller) => refuseForeign(deps, key.account);
  mountAtRoot(contract.health, () => health(deps));
  mount(contract.identity, ({ query }) => ({ proof: proofFor(deps, query.challenge) }));
  mount(contract.status, ({ caller }) => status(deps, caller));
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
