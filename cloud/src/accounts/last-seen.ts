import type { Clock } from '@reverie/shared/time/clock';
import type { Records } from '../db/records.ts';
import { saveLastSeen } from './devices.store.ts';

/** When devices were seen. Written now and then: a thousand devices that connect at once shall not wait for a thousand commits. */
export interface LastSeen {
  /** A device is here. */
  note(device: string): void;
  /** When a device was seen since the last time that this was written, in ms since 1970. */
  at(device: string): number | undefined;
  save(): Promise<void>;
}

export function createLastSeen({ records, clock }: { records: Records; clock: Clock }): LastSeen {
  const unsaved = new Map<string, number>();
  return {
    note: (device) => void unsaved.set(device, clock.now()),
    at: (device) => unsaved.get(device),
    async save() {
      const seen = new Map(unsaved);
      unsaved.clear();
      if (seen.size > 0) await records.write(() => saveLastSeen(seen));
    },
  };
}
