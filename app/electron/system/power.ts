import type { Desktop } from '../desktop.ts';

/** How full the battery is, in percent; undefined where there is none. */
export type ReadBattery = () => Promise<number | undefined>;

export interface PowerDeps {
  desktop: Pick<Desktop, 'isOnBattery' | 'onPowerChange'>;
  battery: ReadBattery;
  /** Below which share dreams wait, in percent; 0 where they never do. */
  floor: () => number;
  /** Has the daemon's dreams wait for so many seconds; 0 lets them go on. Each call counts anew. */
  hold: (seconds: number, why: string) => Promise<void>;
  every: (ms: number, run: () => void) => () => void;
  changed: () => void;
}

/** How often the battery is looked at, ms. */
const LOOK_MS = 60_000;
/** Longer than the pause between two looks, and short enough to end soon where the app does, s. */
const HOLD_S = 300;

/** Why dreams wait at this charge, or undefined where they need not. */
export function whyHeld(
  is: { isOnBattery: boolean; percent: number | undefined },
  floor: number,
): string | undefined {
  const { isOnBattery, percent } = is;
  return isOnBattery && percent !== undefined && percent < floor ? `on battery, ${percent} %` : undefined;
}

/** Holds dreams while the battery is low. */
export function watchPower({ desktop, battery, floor, hold, every, changed }: PowerDeps) {
  let held: string | undefined;

  async function look(): Promise<void> {
    const isOnBattery = desktop.isOnBattery();
    const before = held;
    held = whyHeld({ isOnBattery, percent: isOnBattery ? await battery() : undefined }, floor());
    if (held !== undefined) await hold(HOLD_S, held);
    else if (before !== undefined) await hold(0, '');
    if (held !== before) changed();
  }

  // A daemon that is away has no dreams to hold; the next look finds it.
  const run = () => void look().catch(() => undefined);
  desktop.onPowerChange(run);
  const stop = every(LOOK_MS, run);
  return { held: () => held, look, stop };
}
