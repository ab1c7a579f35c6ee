import type { Steps } from '../db/records.ts';

/** What one node tells the others. It only makes them look sooner: each looks by itself, too. */
export interface PeerNews {
  /** Rooms whose logs have grown, with their newest entry. */
  heads?: ReadonlyMap<string, number>;
  /** Rooms with another epoch, other members, or snapshots. */
  rooms?: readonly string[];
  /** Accounts with other rooms or devices. */
  accounts?: readonly string[];
  /** Devices that were shut out. */
  devices?: readonly string[];
  /** What a device says of itself in a room; told to who is there now, and never again. */
  presence?: { room: string; device: string; body: Uint8Array };
}

/** This node as news of the others reach it: what is read and connected here, and what to do about each change. */
export interface Here {
  /** Milliseconds since 1970. */
  now(): number;
  /** Rooms that somebody reads here. */
  rooms(): Iterable<string>;
  /** Devices that are connected here, with their accounts. */
  devices(): Iterable<{ device: string; account: string }>;
  /** A room's log may have grown up to an entry. */
  grown(room: string, head: number): void;
  /** A room is at another epoch. */
  epochIs(room: string, epoch: number): void;
  /** A room may have other members, or none. */
  membersChanged(room: string): void;
  /** A room has snapshots that wait for a second device. */
  offered(room: string): void;
  accountChanged(account: string): void;
  /** What accounts hold may be more by what others added: said every few seconds. */
  countAnew(): void;
  /** A device is shut out, or its account gone; `isDisabled`: its account was disabled. */
  shutOut(device: string, isDisabled?: boolean): void;
  presence(said: { room: string; device: string; body: Uint8Array }): void;
  /** Something that was held here is held elsewhere now. */
  lost(name: string): void;
  /** The log has another name, for its database was put in the place of another one: everybody comes again. */
  renamed(): void;
  /** This node has not reached its database for some seconds: its people go on at another one. */
  cutOff(): void;
  /** This node cannot go on with its database, as after a newer relay changed it. */
  leave(why: string): void;
}

/** Requests of callers that are counted here, and shared with the other nodes. */
export interface Counting {
  readonly name: string;
  readonly windowMs: number;
  /** What was counted since the last time that this was asked. */
  exchange(): { address: string; since: number; more: number }[];
  /** What all nodes counted together. */
  learn(sums: readonly { address: string; used: number }[]): void;
}

/** Who holds something that one node at a time may have. `address`: where another node listens. */
export type Holder = { kind: 'here' } | { kind: 'elsewhere'; address: string };

/** The nodes of one relay, as one of them sees the others. */
export interface Peers {
  tell(news: PeerNews): void;
  /** Resolves when it has looked once, and hears the others where it can. */
  start(here: Here): Promise<() => Promise<void>>;
  /** Where the others reach this node, as `http://10.0.0.7:7347`. */
  listensAt(address: string): void;
  /** Those of some devices that are connected to any node. */
  online(devices: readonly string[]): Promise<ReadonlySet<string>>;
  /** Takes a name for this node, unless another one that lives has it; held until it is let go, or this node was not heard of for some seconds. */
  hold(name: string): Promise<Holder>;
  letGo(name: string): Promise<void>;
  /** The first step of a transaction that only the node that holds a name may do. Throws where this one does not. */
  guard(name: string): Steps<void>;
  /** Counts callers together with the others, within a look or two. */
  share(counting: Counting): void;
  /** Why this node should not be sent anybody; undefined where it should. */
  trouble(): string | undefined;
}

/** A relay of one node. */
export function createNoPeers(): Peers {
  let here: Pick<Here, 'devices'> | undefined;
  return {
    tell: () => undefined,
    start: async (node) => {
      here = node;
      return async () => undefined;
    },
    listensAt: () => undefined,
    online: async (devices) => {
      const connected = new Set([...(here?.devices() ?? [])].map(({ device }) => device));
      return new Set(devices.filter((device) => connected.has(device)));
    },
    hold: async () => ({ kind: 'here' }),
    letGo: async () => undefined,
    *guard() {},
    share: () => undefined,
    trouble: () => undefined,
  };
}
