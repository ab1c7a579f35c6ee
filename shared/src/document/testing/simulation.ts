import { createDevice, type Device } from './simulated-device.ts';
import { createRelay, type Relay } from './simulated-relay.ts';

/** The same numbers for the same seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const HOUR = 3_600_000;

/** Somebody who was invited: what the sharer had seen and was not there any more is not to be on their disk. */
export interface Guest {
  device: Device;
  forbidden: readonly string[];
}

/**
 * `trash`: the share of writes that move a memory to the trash; `hide`: the share of changes that hide or show one (both 0 to 1).
 * `settle`: the share of writes that decide about a version that lost instead (0 to 1). `share`: how often a device invites somebody, who reads what there is (0 to 1).
 * `isEarlier`: whether one device runs a program that knows neither.
 */
export interface Acts {
  trash?: number;
  hide?: number;
  share?: number;
  settle?: number;
  /** The share of writes that change single lines and tags; without it a write says something else as a whole. */
  edit?: number;
  /** The share of those that give a memory another key instead. */
  rename?: number;
  /** Whether nothing is deleted or cleared, and nothing goes on from a backup: then nothing that was added may be lost. */
  keeps?: boolean;
  isEarlier?: boolean;
}

/** What was added, as lines and tags that stand nowhere else, and what somebody took away who saw it. */
export interface Pieces {
  added: Set<string>;
  removed: Set<string>;
}

/**
 * One seeded run: edits, cuts, lost acks, restarts, backups, clears, epochs, clocks that are wrong by minutes or ahead by hours, a relay
 * that repeats and reorders; answers what to compare.
 */
export function simulate(
  seed: number,
  {
    trash = 0,
    hide = 0,
    share = 0,
    settle = 0,
    edit = 0,
    rename = 0,
    keeps = false,
    isEarlier = false,
  }: Acts = {},
): {
  pieces: Pieces;
  devices: Device[];
  fresh: Device;
  relay: Relay;
  restored: boolean;
  /** Whether a device or the relay went on from a backup. */
  isOlder: boolean;
  guests: Guest[];
} {
  const random = randomOf(seed);
  const below = (max: number) => Math.floor(random() * max);
  let time = 1_760_000_000_000;
  const relay = createRelay({ random, now: () => time });
  const skews = Array.from({ length: 2 + below(3) }, () =>
    random() < 0.2 ? HOUR + below(3 * HOUR) : (below(3) - 1) * below(400_000),
  );
  const devices = skews.map((skew, index) =>
    createDevice(`d${index}`, { random, now: () => time + skew, isEarlier: isEarlier && index === 0 }),
  );
  const backups = new Map<Device, ReturnType<Device['backup']>>();
  const keys = Array.from({ length: 3 + below(6) }, (_, index) => `key ${index}`);
  let relayBackup: ReturnType<Relay['backup']> | undefined;
  let restored = false;
  /** Whether a device or the relay was restored: what it says again may be anything that it said before. */
  let isOlder = false;
  const guests: Guest[] = [];
  const texts: string[] = [];
  let guestsThen = 0;

  const isShown = (text: string) =>
    devices.some((one) =>
      [...one.rows().values()].some(({ value, trashed }) => value === text && trashed === undefined),
    );

  /** What was there and is not any more when somebody shares what there is, by who does. */
  const gone = new Map<Device, readonly string[]>();

  function shareWhatIs(device: Device): void {
    if (guests.some((guest) => guest.device === device) || device.isEarlier) return;
    // It waits until it has said all, as the daemon does.
    device.receive(relay, 1000);
    device.write();
    device.send(relay, 1000, 0);
    if (device.pending() > 0) return;
    const known = device.texts();
    const before = texts.filter((text) => known.includes(text) && !isShown(text));
    if (device.share(relay)) gone.set(device, before);
  }

  function invite(device: Device): void {
    if (device.isSharing()) {
      device.receive(relay, 1 + below(6));
      device.send(relay, 1 + below(6), 0);
    }
    const since = device.invite(relay);
    if (since === undefined) return;
    const guest = createDevice(`g${guests.length}`, { random, now: () => time, since });
    guests.push({ device: guest, forbidden: gone.get(device) ?? [] });
    devices.push(guest);
  }

  function hideOrShow(device: Device, key: string): void {
    const dice = random();
    const shown = device.shown();
    const [one, other] = [shown[below(shown.length)], shown[below(shown.length)]];
    if (dice < 0.1) device.archive(key);
    else if (dice > 0.9) device.show(key);
    else if (one !== undefined && other !== undefined) device.hide(one, other);
  }

  const pieces: Pieces = { added: new Set(), removed: new Set() };

  /** Adds, changes or takes away a line or a tag of a memory, or gives it another key. */
  function change(device: Device, key: string, step: number): void {
    const row = device.row(key);
    const piece = `piece ${step} of ${seed}`;
    if (!row) {
      const lines = Array.from({ length: 6 }, (_, index) => `${piece} line ${index}`);
      for (const line of lines) pieces.added.add(line);
      return device.set(key, lines.join('\n'));
    }
    const dice = random();
    if (rename > 0 && random() < rename) return device.rename(key, `${key.split(' as ')[0]} as ${step}`);
    const lines = row.value.split('\n');
    const { tags = [] } = JSON.parse(row.metadata) as { tags?: string[] };
    const at = below(lines.length);
    const [line = '', tag] = [lines[at], tags[below(tags.length)]];
    if (dice < 0.3) pieces.added.add(piece);
    if (dice < 0.3) return device.set(key, row.value, JSON.stringify({ tags: [...tags, piece] }));
    if (dice < 0.36 && tag !== undefined) {
      pieces.removed.add(tag);
      return device.set(key, row.value, JSON.stringify({ tags: tags.filter((one) => one !== tag) }));
    }
    const isAdded = dice < 0.9;
    const isRemoved = dice > 0.6 && lines.length > 1;
    if (!isAdded && !isRemoved) return;
    if (isAdded) pieces.added.add(piece);
    if (isRemoved) pieces.removed.add(line);
    lines.splice(at, isRemoved ? 1 : 0, ...(isAdded ? [piece] : []));
    device.set(key, lines.join('\n'), row.metadata);
  }

  for (let step = 0; step < 60 + below(80); step += 1) {
    time += below(5000);
    const device = devices[below(devices.length)];
    const near = edit > 0 && device ? [...device.rows().keys()] : [];
    const key = near.length > 0 && random() < 0.9 ? near[below(near.length)] : keys[below(keys.length)];
    if (!device || key === undefined) continue;
    if (share > 0) {
      for (const one of [...devices]) invite(one);
      if (random() < share) shareWhatIs(device);
    }
    const dice = random();
    // `trash`: how many writes are such instead; `hide`: how many writes, deletions and clears. Without them no number is taken, and named
    // seeds stay what they were.
    if (dice < 0.43 && edit > 0 && random() < edit && !device.isEarlier) change(device, key, step);
    else if (keeps && ((dice >= 0.33 && dice < 0.45) || dice >= 0.955)) continue;
    else if (dice < 0.45 && hide > 0 && random() < hide && !device.isEarlier) hideOrShow(device, key);
    else if (dice < 0.33 && trash > 0 && random() < trash && !device.isEarlier) device.trash(key);
    else if (dice < 0.33 && settle > 0 && random() < settle)
      device.settle(random() < 0.5 ? `settled ${step} of ${seed}` : undefined, random() < 0.5);
    else if (dice < 0.33) {
      texts.push(`value ${step} of ${seed}`);
      device.set(key, `value ${step} of ${seed}`);
    } else if (dice < 0.43) device.delete(key);
    else if (dice < 0.45) device.clear();
    else if (dice < 0.52) device.write();
    else if (dice < 0.69) device.send(relay, 1 + below(4), random() < 0.3 ? 0.5 : 0);
    else if (dice < 0.87) device.receive(relay, 1 + below(6));
    else if (dice < 0.9) device.askEpoch(relay);
    else if (dice < 0.92) device.fold();
    else if (dice < 0.955) device.restart();
    else if (dice < 0.97) backups.set(device, device.backup());
    else if (dice < 0.985) {
      const backup = backups.get(device);
      if (backup) {
        device.restore(backup);
        isOlder = true;
      }
    } else if (dice < 0.99) {
      relayBackup = relay.backup();
      guestsThen = guests.length;
    } else if (dice < 0.993 && relayBackup && relayBackup.length <= relay.length()) {
      relay.restore(relayBackup);
      restored = true;
      isOlder = true;
      // Who joined since is a member no more.
      const left = new Set(guests.splice(guestsThen).map((guest) => guest.device));
      devices.splice(0, devices.length, ...devices.filter((one) => !left.has(one)));
    }
  }
  // Everybody comes together: nothing may be left to send or read.
  for (let round = 0; round < 80; round += 1) {
    for (const device of devices) {
      device.receive(relay, 1000);
      device.write();
      device.send(relay, 1000, 0);
    }
    if (devices.some((device) => device.pending() > 0 || device.isBehind(relay))) continue;
    if (!devices.some((device) => device.hasGap())) break;
    for (const device of devices) device.heal();
  }
  const fresh = createDevice('fresh', { random, now: () => time });
  for (let round = 0; round < 80 && fresh.isBehind(relay); round += 1) fresh.receive(relay, 1000);
  // Who was restored says again what was not confirmed then, as something new.
  return {
    pieces,
    devices,
    fresh,
    relay,
    restored,
    isOlder,
    guests: isOlder ? guests.map((one) => ({ ...one, forbidden: [] })) : guests,
  };
}
