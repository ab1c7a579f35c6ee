import { createHash } from 'node:crypto';
import type { HookEvent } from '@reverie/shared/contract/agents/hooks';
import type { Clock } from '../../../platform/clock.ts';

/** How long a call of the same content counts as the same, ms: doubled hooks were seen 5 to 9 ms apart, slow machines take longer. */
const WITHIN = 10_000;
/** Calls that are remembered at most. */
const MOST = 1_000;

interface Call {
  account: number;
  session: string;
  event: HookEvent;
  /** What was typed, and why it was called. */
  prompt: string;
  reason: string;
}

/**
 * Tells whether the same call came a moment ago: of the same session, event, prompt and reason, though its bytes and its agent may differ,
 * for an editor that also runs another agent's hooks writes a time, or another form, into each. Where a session begins or ends, what came of
 * it before is over: scripts begin, end and go on with one within seconds.
 */
export function createDoubled(clock: Pick<Clock, 'now'>): (call: Call) => boolean {
  const seen = new Map<string, { at: number; session: string }>();
  return ({ account, session, event, prompt, reason }) => {
    const now = clock.now();
    const key = createHash('sha256')
      .update(JSON.stringify([account, session, event, prompt, reason]))
      .digest('base64');
    // A map keeps the order in which its calls came: after one that is young enough there are younger ones only.
    for (const [old, { at }] of seen) {
      if (now - at < WITHIN && seen.size < MOST) break;
      seen.delete(old);
    }
    const isDoubled = seen.has(key);
    if (isDoubled) return true;
    const here = JSON.stringify([account, session]);
    if (event === 'start' || event === 'end')
      for (const [old, other] of seen) if (other.session === here) seen.delete(old);
    seen.set(key, { at: now, session: here });
    return false;
  };
}
