/** Work that stops between its pieces, so that others may have their turn there. */
export type Steps<T> = Generator<undefined, T>;

/** Does all of some work in this turn. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Does some work piece by piece, as a pause between them lets it; undefined where it was too late before it ended. */
export async function inTurns<T>(
  steps: Steps<T>,
  { pause, late }: { pause: () => Promise<void>; late: AbortSignal },
): Promise<T | undefined> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await pause();
    if (late.aborted) return undefined;
  }
}
