import { useEffect, useState } from 'react';
import { wallClock } from '../../../platform/clock.ts';

/** How long a memory is shown before what stands around it is asked for, ms: who passes it does not read that. */
const SETTLED_MS = 250;

/** True once the memory has been shown for `SETTLED_MS`, so that one passed over quickly loads nothing more. */
export function useSettled(): boolean {
  const [isSettled, setSettled] = useState(false);
  useEffect(() => wallClock.after(SETTLED_MS, () => setSettled(true)), []);
  return isSettled;
}
