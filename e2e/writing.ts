import { deleteMemory, setMemory, storeBatch } from '@reverie/shared/contract/memories/memories';
import { expect } from 'vitest';
import type { TestDevice } from './devices.ts';

/** Writes that devices were asked for, and what may be expected of them, also where a device dies in between. */
export interface Writing {
  /** Some memories by one request each, some by one batch, an overwrite and a deletion; ends early where the device does. */
  round(device: TestDevice, name: string): Promise<void>;
  /** Nothing that was answered is missing in what the devices say. */
  check(says: Readonly<Record<string, string>>): void;
  /** How many requests were answered, by all devices or by one. */
  answered(device?: TestDevice): number;
}

export function createWriting(): Writing {
  /** What was answered last of each key: its value, or null where it was deleted. */
  const certain = new Map<string, string | null>();
  const answered = new Map<TestDevice, number>();

  /** What is not answered may have happened, or not. */
  async function ask(
    device: TestDevice,
    request: () => Promise<unknown>,
    says: ReadonlyMap<string, string | null>,
  ): Promise<boolean> {
    for (const key of says.keys()) certain.delete(key);
    try {
      await request();
    } catch (cause) {
      if (cause instanceof Error && 'status' in cause && cause.status !== 0 && Number(cause.status) < 500)
        throw cause;
      return false;
    }
    for (const [key, value] of says) certain.set(key, value);
    answered.set(device, (answered.get(device) ?? 0) + 1);
    return true;
  }

  return {
    async round(device, name) {
      const set = (key: string, value: string) =>
        ask(device, () => device.call(setMemory, { body: { key, value } }), new Map([[key, value]]));
      const items = Array.from({ length: 5 }, (_, n) => ({ key: `${name} batch ${n}`, value: `of ${name}` }));
      const batch = () => device.call(storeBatch, { body: { items } });
      const steps = [
        () => set(`${name} one`, 'first'),
        () => set(`${name} two`, 'first'),
        () => ask(device, batch, new Map(items.map(({ key, value }) => [key, value]))),
        () => set(`${name} one`, 'second'),
        () =>
          ask(
            device,
            () => device.call(deleteMemory, { body: { key: `${name} two` } }),
            new Map([[`${name} two`, null]]),
          ),
        () => set(`${name} three`, 'first'),
      ];
      for (const step of steps) if (!(await step())) return;
    },
    check(says) {
      const told = Object.fromEntries([...certain.keys()].map((key) => [key, says[key] ?? null]));
      expect(told).toEqual(Object.fromEntries(certain));
    },
    answered: (device) =>
      device ? (answered.get(device) ?? 0) : [...answered.values()].reduce((sum, one) => sum + one, 0),
  };
}
