import { setTimeout as pause } from 'node:timers/promises';
import type { Section } from '../ledger.ts';
import { createAgent, send, type Sent } from '../sending.ts';

export interface Probe {
  /** Ends it; answers the longest wait, ms. */
  stop(): Promise<number>;
}

const HANG_MS = 1000;

/** Asks the same all the while, and notes each answer that took more than a second, or was none. */
export function startProbe(
  section: Section,
  { origin, pid }: { origin: string; pid: number },
  sent: Sent,
): Probe {
  const agent = createAgent(1);
  let isOver = false;
  let longest = 0;
  const running = (async () => {
    while (!isOver) {
      const { status, ms, cut } = await send(origin, sent, { agent, pid });
      section.did('requests');
      longest = Math.max(longest, ms);
      if (ms > HANG_MS)
        section.found('hung', `${sent.method} ${sent.path} waited ${(ms / 1000).toFixed(1)} s`);
      if (status >= 500) section.found('failed', `${sent.method} ${sent.path} answered ${status}`);
      if (status === 0) section.found('lost', `${sent.method} ${sent.path} was not answered: ${cut ?? ''}`);
      await pause(25);
    }
  })();
  return {
    async stop() {
      isOver = true;
      await running;
      agent.destroy();
      return longest;
    },
  };
}
