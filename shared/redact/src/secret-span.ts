/** A secret in a text. */
export interface SecretSpan {
  /** A stable word: findings are counted by it. */
  rule: string;
  start: number;
  end: number;
  /** How many characters it has at the least: where lines were cut, it surely goes on up to there. */
  least: number;
  /** The secret itself, where it stands in another form than it is written in: in base64. */
  inner?: string;
}

/** The last of some parts, which are ordered by their beginnings, that begins at or before a place. */
export function lastBegunBy<Part extends { start: number }>(
  parts: readonly Part[],
  place: number,
): Part | undefined {
  return parts[firstBehind(parts, place, ({ start }) => start) - 1];
}

/** The index of the first of some items, which are ordered by where they begin, that begins behind a place. */
export function firstBehind<Item>(
  items: readonly Item[],
  place: number,
  startOf: (item: Item) => number,
): number {
  let low = 0;
  for (let high = items.length; low < high;) {
    const middle = (low + high) >> 1;
    const item = items[middle];
    if (item !== undefined && startOf(item) > place) high = middle;
    else low = middle + 1;
  }
  return low;
}
