import type { AccountId, Caller } from '@reverie/shared/accounts/caller';
import { Problem } from '@reverie/shared/contract/problems';
import * as contract from '@reverie/shared/contract/sync/sync';
import * as devices from '@reverie/shared/contract/sync/devices';
import * as lost from '@reverie/shared/contract/sync/lost';
import * as sharing from '@reverie/shared/contract/sync/sharing';
import * as conflicts from '@reverie/shared/contract/sync/conflicts';
import type { Mount } from '@reverie/shared/http/mount';
import { chooseNew, startSyncing, stopSyncing, takeOffRelay } from './namespaces/choices.service.ts';
import { conflictsOf, dismiss, restore } from './conflicts/conflicts.service.ts';
import {
  type LinkingDeps,
  linkHome,
  pauseLink,
  triggerLink,
  unlinkHome,
  rebuildAll,
} from './people/linking.service.ts';
import { moveLink } from './people/moving.service.ts';
import { settleLost } from './namespaces/lost.service.ts';
import type { SyncedMemories } from './ports.ts';
import { askToRecover } from './people/recovering.service.ts';
import {
  approve,
  changeMemberOf,
  devicesOf,
  handOver,
  invitesOf,
  join,
  leave,
  makeCode,
  membersOf,
  removeDeviceOf,
  removeMemberOf,
  revokeInviteOf,
  share,
} from './people/sharing.service.ts';
import type { RelayTime } from './relay/relay-time.ts';
import { statusOf } from './status.ts';

export interface SyncRoutesDeps extends LinkingDeps {
  memories: SyncedMemories;
  time: RelayTime;
  endings: Parameters<typeof statusOf>[0]['endings'];
  isMachine: (account: AccountId) => boolean;
}

function refuseOthers({ isMachine }: Pick<SyncRoutesDeps, 'isMachine'>, account: AccountId): void {
  if (!isMachine(account))
    throw new Problem('forbidden_scope', "Only the machine's own account can be linked to a relay");
}

/** Says whether this device syncs a namespace, and with `remove_from_relay` that the relay deletes what it has of it. */
export async function chooseNamespace(
  deps: SyncRoutesDeps,
  account: AccountId,
  wanted: { namespace: string; sync: boolean; remove_from_relay?: true | undefined },
): Promise<{ unsent?: number }> {
  refuseOthers(deps, account);
  const { namespace, sync, remove_from_relay } = wanted;
  if (sync) startSyncing(deps, account, namespace);
  else if (remove_from_relay) return { unsent: await takeOffRelay(deps, account, namespace) };
  else return { unsent: stopSyncing(deps, account, namespace) };
  return {};
}

/** Only the machine's own account is synced; others learn that they are not, and nothing else. */
export function syncRoutes(mount: Mount<Caller>, deps: SyncRoutesDeps): void {
  const { store, link, time, clock, endings, isMachine } = deps;
  const status = (account: AccountId) => statusOf({ store, link, time, endings, now: clock.now() }, account);
  const own = ({ account }: Caller): AccountId => {
    refuseOthers(deps, account);
    return account;
  };

  mount(contract.syncStatus, async ({ caller }) => {
    if (isMachine(caller.account)) await link.refreshSeen();
    return status(caller.account);
  });
  mount(contract.triggerSync, ({ caller }) =>
    isMachine(caller.account) ? triggerLink(deps) : { ok: false, status: 'sync_not_active' as const },
  );
  mount(contract.linkDevice, async ({ body, caller }) => {
    const account = own(caller);
    await linkHome(deps, account, body);
    return status(account);
  });
  mount(contract.recoverAccount, async ({ body, caller }) => {
    own(caller);
    return askToRecover(deps, { ...body, ca: body.ca ?? null });
  });
  mount(contract.moveRelay, async ({ body, caller }) => {
    own(caller);
    return { success: true as const, ...(await moveLink(deps, body.relay)) };
  });
  mount(contract.changeLink, ({ body, caller }) => {
    const account = own(caller);
    chooseNew(deps, account, body.new_namespaces);
    return status(account);
  });
  mount(contract.unlinkDevice, async ({ caller }) => {
    own(caller);
    return { success: true as const, ...(await unlinkHome(deps)) };
  });
  mount(devices.pairDevice, ({ caller }) => {
    own(caller);
    return makeCode(deps);
  });
  mount(devices.listDevices, ({ caller }) => {
    own(caller);
    return devicesOf(deps);
  });
  mount(devices.approveDevice, async ({ params: { id }, caller }) => {
    own(caller);
    await approve(deps, id);
    return { success: true as const, id };
  });
  mount(devices.removeDevice, async ({ params: { id }, caller }) => {
    own(caller);
    return { success: true as const, id, invites_ended: await removeDeviceOf(deps, id) };
  });
  mount(contract.pauseSync, ({ body, caller }) => {
    const account = own(caller);
    pauseLink(deps, body.paused);
    return status(account);
  });
  mount(contract.rebuildSync, ({ caller }) => {
    own(caller);
    return rebuildAll(deps);
  });
  mount(lost.settleLost, ({ body, caller }) => {
    settleLost(deps, own(caller), body);
    return { success: true as const, namespace: body.namespace };
  });
  mount(sharing.shareNamespace, ({ body, caller }) => share(deps, own(caller), body));
  mount(sharing.joinNamespace, ({ body, caller }) => join(deps, own(caller), body));
  mount(sharing.listMembers, ({ query, caller }) => membersOf(deps, own(caller), query.namespace));
  mount(sharing.removeMember, async ({ params: { id }, query, caller }) => {
    const invites_ended = await removeMemberOf(deps, own(caller), { namespace: query.namespace, id });
    return { success: true as const, id, invites_ended };
  });
  mount(sharing.changeMember, async ({ params: { id }, body, caller }) => {
    const invites_ended = await changeMemberOf(deps, own(caller), { ...body, id });
    return { success: true as const, id, role: body.role, invites_ended };
  });
  mount(sharing.handOverNamespace, async ({ body: { namespace, member }, caller }) => {
    const invites_ended = await handOver(deps, own(caller), { namespace, id: member });
    return { success: true as const, id: member, invites_ended };
  });
  mount(sharing.leaveNamespace, async ({ body, caller }) => ({
    success: true as const,
    namespace: body.namespace,
    became: await leave(deps, own(caller), body),
  }));
  mount(sharing.listInvites, ({ query, caller }) => invitesOf(deps, own(caller), query.namespace));
  mount(sharing.revokeInvite, async ({ params: { id }, query, caller }) => {
    await revokeInviteOf(deps, own(caller), { namespace: query.namespace, id });
    return { success: true as const, id };
  });
  mount(conflicts.listConflicts, ({ query, caller }) => conflictsOf(deps, caller.account, query));
  mount(conflicts.restoreConflict, ({ params: { id }, caller }) => ({
    success: true as const,
    ...restore(deps, caller, id),
  }));
  mount(conflicts.dismissConflict, ({ params: { id }, caller }) => {
    dismiss(deps, caller.account, id);
    return { success: true as const, id };
  });
}
