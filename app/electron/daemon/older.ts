/** Whether one version comes before another, as `0.9.1` does before `0.10.0`; false where either is not a version. */
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
