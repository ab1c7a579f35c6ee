/**
 * How many times as long as on two quiet cores a test may take before it is given up. A limit is for what never ends: a test that is slow
 * because others want the processor, too, is no defect.
 */
const MARGIN = 10;

/** How many times slower than two quiet cores this machine was when the run began; `e2e/run/machine-speed.ts` measures it. */
function slowness(): number {
  return Number(process.env['REVERIE_TEST_SLOWNESS'] ?? 1);
}

/** Returns the limit, in ms, of what takes so many seconds on two quiet cores. */
export function seconds(quiet: number): number {
  return Math.ceil(quiet * 1000 * MARGIN * slowness());
}
