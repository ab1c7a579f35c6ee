import { setTimeout as delay } from 'node:timers/promises';
import { connect, type Linked, type TestDevice, updateEntry } from './device.ts';

/** A device that writes without an end, and after each cut sends again what was not acknowledged, as daemons do. */
export interface SteadyWriter {
  readonly linked: Linked;
  readonly incarnation: string;
  /** The places of what was acknowledged, by number. */
  acknowledged: ReadonlyMap<number, number>;
  /** Entries that were acknowledged at two places. */
  twice: readonly number[];
  /** The longest time between two acknowledgements since it was last asked, ms. */
  longestWait(): number;
  /** Sends nothing new, and resolves when all is acknowledged. */
  finish(): Promise<void>;
}

const EVERY_MS = 10;
const AT_ONCE = 5;

export function startWriter(
  origin: string,
  linked: Linked,
  { room, incarnation, size = 200 }: { room: string; incarnation: string; size?: number },
): SteadyWriter {
  const acknowledged = new Map<number, number>();
  const twice: number[] = [];
  const waiting = new Map<number, ReturnType<typeof updateEntry>>();
  let n = 0;
  let isFinishing = false;
  let last = performance.now();
  let longest = 0;
  const all = Promise.withResolvers<void>();

  const send = (device: TestDevice, entries: ReturnType<typeof updateEntry>[]) =>
    device.send({ type: 'append', room, epoch: 0, incarnation, entries });

  function look(): void {
    if (isFinishing && waiting.size === 0) all.resolve();
  }

  async function live(): Promise<void> {
    const device = await connect(origin, linked, {
      incarnation,
      forgets: true,
      onMessage(message) {
        if (message.type !== 'ack') return;
        const now = performance.now();
        longest = Math.max(longest, now - last);
        last = now;
        for (const { n: told, seq } of message.acks) {
          const before = acknowledged.get(told);
          if (before !== undefined && before !== seq) twice.push(told);
          acknowledged.set(told, seq);
          waiting.delete(told);
        }
        look();
      },
    });
    if (device.socket.readyState !== device.socket.OPEN) return;
    const again = [...waiting.values()];
    for (let at = 0; at < again.length; at += 500) send(device, again.slice(at, at + 500));
    const timer = setInterval(() => {
      if (isFinishing || device.socket.readyState !== device.socket.OPEN) return;
      const entries = Array.from({ length: AT_ONCE }, () => updateEntry((n += 1), size));
      for (const entry of entries) waiting.set(entry.n, entry);
      send(device, entries);
    }, EVERY_MS);
    const done = isFinishing && waiting.size === 0 ? Promise.resolve() : all.promise;
    await Promise.race([device.closed, done]);
    clearInterval(timer);
    if (isFinishing && waiting.size === 0) device.close();
  }

  async function run(): Promise<void> {
    while (!isFinishing || waiting.size > 0) {
      await live();
      await delay(20 + Math.random() * 80);
    }
  }

  const running = run();
  return {
    linked,
    incarnation,
    acknowledged,
    twice,
    longestWait() {
      const was = Math.max(longest, performance.now() - last);
      longest = 0;
      last = performance.now();
      return was;
    },
    async finish() {
      isFinishing = true;
      look();
      await running;
    },
  };
}
