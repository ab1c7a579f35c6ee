/** Times in µs below this say more about the clock than about the work. */
const LEAST_SEEN = 10_000;

/** How often both are looked at before the work is held to be slow. */
const ROUNDS = 5;

/**
 * Checks that work on a text of eight times the length takes eight times as long, not sixty-four. It is measured in the time of the processor
 * that this thread took, the least of up to five looks at each length: a collection of garbage or another's tests only add to it.
 * @param work Works on a text of so many characters.
 * @param longest The length, in characters, up to which it is looked at.
 * @throws An error that names both times, where every look at the longest took more than 24 times the shorter's least.
 */
export async function expectLinear(work: (length: number) => unknown, longest: number): Promise<void> {
  const timeOf = async (length: number) => {
    const before = process.threadCpuUsage();
    await work(length);
    return process.threadCpuUsage(before).user;
  };
  await work(longest / 8);
  let [short, long] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; round < ROUNDS; round += 1) {
    short = Math.min(short, await timeOf(longest / 8));
    long = Math.min(long, await timeOf(longest));
    if (long < Math.max(short, LEAST_SEEN) * 24) return;
  }
  throw new Error(
    `${longest} characters take ${long / 1000} ms, an eighth of them ${short / 1000} ms: this grows faster than its length.`,
  );
}
