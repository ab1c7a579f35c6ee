/** Rows of the table of costs, used again: a look through a list of words compares thousands. */
let rows = [new Uint8Array(64), new Uint8Array(64), new Uint8Array(64)] as const;

/**
 * How many letters have to be changed, added, taken away or swapped with their neighbour until two words are equal (optimal string
 * alignment: no letter twice); `most + 1` where it is more than `most`.
 */
export function editDistance(a: string, b: string, most: number): number {
  const far = most + 1;
  if (Math.abs(a.length - b.length) > most) return far;
  const width = b.length + 1;
  if (rows[0].length < width) rows = [new Uint8Array(width), new Uint8Array(width), new Uint8Array(width)];
  let [before, above, row] = rows;
  for (let j = 0; j < width; j++) above[j] = Math.min(j, far);
  // The smallest of a row; a swap counts from the row before the last one.
  let leastAbove = 0;
  for (let i = 1; i <= a.length; i++) {
    const letter = a.charCodeAt(i - 1);
    // What is further from the diagonal than `most` costs more than `most`.
    const from = Math.max(1, i - most);
    const to = Math.min(b.length, i + most);
    row[from - 1] = from === 1 ? Math.min(i, far) : far;
    let least = row[from - 1] ?? far;
    for (let j = from; j <= to; j++) {
      const other = b.charCodeAt(j - 1);
      let cost = (above[j - 1] ?? far) + (letter === other ? 0 : 1);
      cost = Math.min(cost, (above[j] ?? far) + 1, (row[j - 1] ?? far) + 1, far);
      const isSwap = i > 1 && j > 1 && letter === b.charCodeAt(j - 2) && a.charCodeAt(i - 2) === other;
      if (isSwap) cost = Math.min(cost, (before[j - 2] ?? far) + 1);
      row[j] = cost;
      if (cost < least) least = cost;
    }
    if (to < b.length) row[to + 1] = far;
    if (least > most && leastAbove >= most) return far;
    leastAbove = least;
    [before, above, row] = [above, row, before];
  }
  return above[b.length] ?? far;
}
