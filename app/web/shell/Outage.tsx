import { useEffect, useState } from 'react';
import { awaySince, heldWrites } from '../platform/daemon/api.ts';
import { wallClock } from '../platform/clock.ts';
import { countOf, formatClock } from '../platform/format.ts';
import { useStore } from '../platform/store.ts';
import { Banner } from '../ui/Message.tsx';

/** How long it stays said that the daemon is back, ms: long enough to be read out. */
const BACK_MS = 5_000;

/** Tells, in the one place of the page, that the daemon does not answer; that it is back is only read out. */
export function Outage() {
  const since = useStore(awaySince);
  const held = useStore(heldWrites);
  return (
    <>
      <Back isAway={since !== undefined} />
      {since !== undefined && (
        <Banner tone="warn">
          <span>
            Reverie has not answered since {formatClock(since)}. What you see may be old; this page tries
            again by itself. If it is not running, start it with <code>reverie start</code>.
            {held > 0 &&
              ` ${countOf(held, 'change waits', 'changes wait')} here until then: keep this tab open.`}
          </span>
        </Banner>
      )}
    </>
  );
}

function Back({ isAway }: { isAway: boolean }) {
  const [wasAway, setWasAway] = useState(isAway);
  useEffect(() => {
    if (isAway) setWasAway(true);
    else if (wasAway) return wallClock.after(BACK_MS, () => setWasAway(false));
    return undefined;
  }, [isAway, wasAway]);
  return (
    <span className="sr-only" role="status">
      {wasAway && !isAway ? 'Back: Reverie answers again.' : ''}
    </span>
  );
}
