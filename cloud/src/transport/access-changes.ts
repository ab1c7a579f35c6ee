import type { Space } from './admission.ts';
import type { NoteSockets } from '../notes/note-sockets.ts';
import type { Peers } from '../peers/peers.ts';
import type { Sockets } from './sockets.ts';
import type { Syncing } from './syncing.ts';

/** Tells whom it concerns that devices, accounts or rooms may do something else than before: this node alone, or this node and all others. */
export interface AccessChanges {
  /** Shuts a device out, here and at the other nodes. */
  revoke(device: string): void;
  /** Shuts it out here; `isDisabled`: for its account was disabled. */
  shutOut(device: string, isDisabled?: boolean): void;
  /** Tells an account's devices, here and at the other nodes, to ask for its rooms and devices again. */
  tellRooms(account: string): void;
  /** A room has other members, or is gone: accounts whose rooms it was, or is, are told here and at the other nodes. */
  changed(room: string, accounts: readonly string[]): Promise<void>;
  /** An account has other rooms or devices, as another node told. */
  accountChanged(account: string): void;
  /** A room may have other members, or none, as another node told. */
  membersChanged(room: string): Promise<void>;
}

export interface AccessChangesDeps {
  space: Space;
  peers: Pick<Peers, 'tell'>;
  syncing: Pick<Syncing, 'accessChanged'>;
  sockets: Pick<Sockets, 'revoke' | 'tellRooms'>;
  notes: Pick<NoteSockets, 'revoke' | 'accessChanged'>;
}

export function createAccessChanges(deps: AccessChangesDeps): AccessChanges {
  const { space, peers, syncing, sockets, notes } = deps;

  function shutOut(device: string, isDisabled = false): void {
    sockets.revoke(device, isDisabled);
    notes.revoke(device, isDisabled);
  }

  function accountChanged(account: string): void {
    space.forget(account);
    sockets.tellRooms(account);
  }

  async function membersChanged(room: string): Promise<void> {
    await Promise.all([syncing.accessChanged(room), notes.accessChanged(room)]);
  }

  return {
    shutOut,
    accountChanged,
    membersChanged,
    revoke(device) {
      shutOut(device);
      peers.tell({ devices: [device] });
    },
    tellRooms(account) {
      sockets.tellRooms(account);
      peers.tell({ accounts: [account] });
    },
    async changed(room, accounts) {
      for (const account of accounts) accountChanged(account);
      peers.tell({ rooms: [room], accounts });
      await membersChanged(room);
    },
  };
}
