import type { PeerNews } from './peers.ts';

/** Room on the wire: Postgres takes payloads of less than 8,000 bytes. */
const MOST_BYTES = 7800;

interface Pending {
  heads: Map<string, number>;
  rooms: Set<string>;
  accounts: Set<string>;
  devices: Set<string>;
  presences: { room: string; device: string; body: Uint8Array }[];
}

const empty = (): Pending => ({
  heads: new Map(),
  rooms: new Set(),
  accounts: new Set(),
  devices: new Set(),
  presences: [],
});

/** News that are gathered until they are sent. */
export interface Gathered {
  add(news: PeerNews): void;
  /** Payloads with all that was added, as said by a node; nothing is left. */
  take(node: string): string[];
}

export function createGathered(): Gathered {
  let pending = empty();

  /** One letter for what it is about, then who or what; heads are `room head`. */
  function items(): string[] {
    const { heads, rooms, accounts, devices, presences } = pending;
    return [
      ...[...heads].map(([room, head]) => `h${room} ${head}`),
      ...[...rooms].map((room) => `r${room}`),
      ...[...accounts].map((account) => `a${account}`),
      ...[...devices].map((device) => `d${device}`),
      ...presences.map(
        ({ room, device, body }) => `p${room} ${device} ${Buffer.from(body).toString('base64')}`,
      ),
    ];
  }

  return {
    add({ heads = new Map<string, number>(), rooms = [], accounts = [], devices = [], presence }) {
      for (const [room, head] of heads) pending.heads.set(room, Math.max(head, pending.heads.get(room) ?? 0));
      for (const room of rooms) pending.rooms.add(room);
      for (const account of accounts) pending.accounts.add(account);
      for (const device of devices) pending.devices.add(device);
      if (presence) pending.presences.push(presence);
    },
    take(node) {
      const payloads: string[] = [];
      let payload = node;
      for (const item of items()) {
        if (payload.length + item.length + 1 > MOST_BYTES) {
          payloads.push(payload);
          payload = node;
        }
        payload += `\n${item}`;
      }
      if (payload !== node) payloads.push(payload);
      pending = empty();
      return payloads;
    },
  };
}

/** What a payload says, and which node said it. */
export function readHint(payload: string): { node: string; news: PeerNews; presences: Pending['presences'] } {
  const [node = '', ...lines] = payload.split('\n');
  const { heads, rooms, accounts, devices, presences } = empty();
  for (const line of lines) {
    const [first = '', second = '', third = ''] = line.slice(1).split(' ');
    if (line.startsWith('h')) heads.set(first, Number(second));
    else if (line.startsWith('r')) rooms.add(first);
    else if (line.startsWith('a')) accounts.add(first);
    else if (line.startsWith('d')) devices.add(first);
    else if (line.startsWith('p'))
      presences.push({ room: first, device: second, body: Uint8Array.from(Buffer.from(third, 'base64')) });
  }
  return {
    node,
    news: { heads, rooms: [...rooms], accounts: [...accounts], devices: [...devices] },
    presences,
  };
}
