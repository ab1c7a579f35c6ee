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
  let low = 0;
  for (let high = parts.length; low < high;) {
    const middle = (low + high) >> 1;
    if ((parts[middle]?.start ?? 0) <= place) low = middle + 1;
    else high = middle;
  }
  return parts[low - 1];
}
