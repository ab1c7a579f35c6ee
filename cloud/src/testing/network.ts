import { execFileSync } from 'node:child_process';

/** A machine of a test: a network namespace, which the test reaches at an address. */
export interface Machine {
  namespace: string;
  address: string;
}

/** A line between two machines; the test has lines of its own to both. */
export interface Cable {
  /** Where the second machine is for the first. */
  far: string;
  /**
   * `both`: nothing passes any more, and nobody is told. `answers`: what the first says arrives, and what the second says does not.
   * What waits in the kernels of both is sent again by them once it is mended.
   */
  cut(way: 'both' | 'answers'): void;
  mend(): void;
}

export interface Network {
  machine(): Machine;
  cable(first: Machine, second: Machine): Cable;
  /** Removes all of it. */
  remove(): void;
}

const ip = (...args: string[]) => void execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'pipe'] });
const inside = ({ namespace }: Machine, ...args: string[]) => ip('netns', 'exec', namespace, 'ip', ...args);

let networks = 0;

/** Makes machines; two networks on one machine do not meet. */
export function createNetwork(): Network {
  networks += 1;
  const name = `rv${process.pid % 100_000}${String.fromCharCode(96 + networks)}`;
  const block = `10.${200 + (process.pid % 50)}.${(Math.floor(process.pid / 50) + networks) % 256}`;
  const machines: Machine[] = [];
  let lines = 0;

  /** Two ends, each with an address, of which the first may be the test's own. */
  function wire(second: Machine, first?: Machine): { ends: [string, string]; addresses: [string, string] } {
    const at = lines * 4;
    const ends: [string, string] = [`${name}${lines}x`, `${name}${lines}y`];
    const addresses: [string, string] = [`${block}.${at + 1}`, `${block}.${at + 2}`];
    lines += 1;
    ip('link', 'add', ends[0], 'type', 'veth', 'peer', 'name', ends[1]);
    ip('link', 'set', ends[1], 'netns', second.namespace);
    if (first) ip('link', 'set', ends[0], 'netns', first.namespace);
    const near = first ? (...args: string[]) => inside(first, ...args) : ip;
    const far = (...args: string[]) => inside(second, ...args);
    for (const [on, end, address] of [
      [near, ends[0], addresses[0]],
      [far, ends[1], addresses[1]],
    ] as const) {
      on('addr', 'add', `${address}/30`, 'dev', end);
      on('link', 'set', end, 'up');
    }
    return { ends, addresses };
  }

  return {
    machine() {
      const namespace = `${name}m${machines.length}`;
      ip('netns', 'add', namespace);
      const made = { namespace, address: '' };
      machines.push(made);
      inside(made, 'link', 'set', 'lo', 'up');
      made.address = wire(made).addresses[1];
      return made;
    },
    cable(first, second) {
      const { addresses } = wire(second, first);
      const [near, far] = addresses;
      const hole = (on: Machine, what: 'add' | 'del', address: string) =>
        inside(on, 'route', what, 'blackhole', `${address}/32`, 'metric', '0');
      let mends: (() => void)[] = [];
      return {
        far,
        cut(way) {
          // A black hole takes what is sent and says nothing, which an interface that is taken down does not do.
          const holes: [Machine, string][] = [[second, near]];
          if (way === 'both') holes.push([first, far]);
          for (const [on, address] of holes) hole(on, 'add', address);
          mends = holes.map(
            ([on, address]) =>
              () =>
                hole(on, 'del', address),
          );
        },
        mend() {
          for (const mend of mends.splice(0)) mend();
        },
      };
    },
    remove() {
      for (const { namespace } of machines.splice(0)) ip('netns', 'del', namespace);
    },
  };
}

/** Why this machine lets no test make a network; undefined where it does. */
export function whyNoNetwork(): string | undefined {
  try {
    const network = createNetwork();
    try {
      const machines = [network.machine(), network.machine()] as const;
      const cable = network.cable(...machines);
      cable.cut('both');
      cable.mend();
    } finally {
      network.remove();
    }
    return undefined;
  } catch (cause) {
    const { code, stderr } = cause as { code?: string; stderr?: Buffer };
    return code === 'ENOENT' ? 'there is no program `ip`' : (stderr?.toString().trim() ?? String(cause));
  }
}
