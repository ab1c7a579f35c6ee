/** Lets a part wake another one that is made later: it rings a bell, of which `wakes` says afterwards who hears it. */
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
