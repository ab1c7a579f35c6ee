/**
 * A limit of so many seconds on a quiet machine, in ms. `REVERIE_TEST_PATIENCE` says how many times slower this one may be; a limit is for
 * what never ends, so that no test fails because others want the processor, too.
 */
export function seconds(quiet: number): number {
  return Math.ceil(quiet * 1000 * Number(process.env['REVERIE_TEST_PATIENCE'] ?? 1));
}
