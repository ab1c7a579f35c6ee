import * as contract from '@reverie/shared/contract/relay/relay';
import type { Mount } from '@reverie/shared/http/mount';
import {
  accountOf,
  type DevicesDeps,
  devicesOf,
  renameDevice,
  revokeDevice,
} from '../accounts/devices.service.ts';
import { answerRequest, makeCode } from '../accounts/linking.service.ts';
import type { Actor } from '../audit/audit.ts';
import { refuseShared } from '../sharing.service.ts';
import type { Caller } from './callers.ts';

export interface DeviceRouteDeps extends DevicesDeps {
  /** Removes an account with all that it holds. */
  remove: (account: string, by: Actor) => Promise<void>;
}

/** The devices of an account, and the account itself. */
export function deviceRoutes(mount: Mount<Caller>, deps: DeviceRouteDeps): void {
  const { records, clock, remove, sockets } = deps;

  mount(contract.makePairingCode, ({ caller }) => makeCode({ records, now: clock.now() }, caller));
  mount(contract.listDevices, ({ caller }) => devicesOf(deps, caller));
  mount(contract.renameDevice, async ({ params: { id }, body, caller }) => {
    await renameDevice(deps, { id, account: caller.account }, body.name);
    return { success: true as const, id };
  });
  mount(contract.revokeDevice, async ({ params: { id }, caller }) => {
    const { invitesEnded } = await revokeDevice(deps, id, caller);
    return { success: true as const, id, invites_ended: invitesEnded };
  });
  mount(contract.answerRequest, async ({ params: { id }, body, caller }) => {
    const { approve } = body;
    await answerRequest({ records, now: clock.now() }, { id, approve, by: caller });
    sockets.tellRooms(caller.account);
    return { success: true as const, id };
  });

  mount(contract.getRelayAccount, ({ caller }) => accountOf(deps, caller.account));
  mount(contract.deleteRelayAccount, async ({ query, caller }) => {
    if (query.shared !== 'end') await refuseShared(deps, caller.account);
    await remove(caller.account, caller);
    return { success: true as const, id: caller.account };
  });
}
