/** Wakes somebody who is made later than whoever has reason to wake them. */
export interface Bell {
  ring(): void;
  /** Says once who is woken. */
  wakes(run: () => void): void;
}

export function createBell(): Bell {
  let woken: (() => void) | undefined;
  return {
    ring() {
      if (!woken) throw new Error('A bell was rung before it was said whom it wakes');
      woken();
    },
    wakes(run) {
      if (woken) throw new Error('A bell wakes one');
      woken = run;
    },
  };
}
