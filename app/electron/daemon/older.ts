/** Whether one version comes before another: `0.9.1` before `0.10.0`. What is no version comes before none. */
export function isOlder(one: string, other: string): boolean {
  const [ours, theirs] = [partsOf(one), partsOf(other)];
  if (!ours || !theirs) return false;
  const at = ours.findIndex((part, index) => part !== theirs[index]);
  return at >= 0 && (ours[at] ?? 0) < (theirs[at] ?? 0);
}

function partsOf(version: string): number[] | undefined {
  const found = /^(\d+)\.(\d+)\.(\d+)/.exec(version);
  return found ? found.slice(1).map(Number) : undefined;
}
