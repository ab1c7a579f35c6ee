/**
 * How many letters have to be changed, added, taken away or swapped with their neighbour until two words are equal (optimal string
 * alignment: no letter twice); `most + 1` where it is more than `most`.
 */
export function editDistance(a: string, b: string, most: number): number {
  const far = most + 1;
  if (Math.abs(a.length - b.length) > most) return far;
  const width = b.length + 1;
  let before = new Uint8Array(width);
  let above = Uint8Array.from({ length: width }, (_, j) => Math.min(j, far));
  let row = new Uint8Array(width);
  for (let i = 1; i <= a.length; i++) {
    // What is further from the diagonal than `most` costs more than `most`.
    const from = Math.max(1, i - most);
    const to = Math.min(b.length, i + most);
    row.fill(far);
    row[0] = Math.min(i, far);
    let least = from === 1 ? (row[0] ?? far) : far;
    for (let j = from; j <= to; j++) {
      const isSame = a.charCodeAt(i - 1) === b.charCodeAt(j - 1);
      let cost = Math.min(
        (above[j - 1] ?? far) + (isSame ? 0 : 1),
        (above[j] ?? far) + 1,
        (row[j - 1] ?? far) + 1,
        far,
      );
      const isSwap =
        i > 1 &&
        j > 1 &&
        a.charCodeAt(i - 1) === b.charCodeAt(j - 2) &&
        a.charCodeAt(i - 2) === b.charCodeAt(j - 1);
      if (isSwap) cost = Math.min(cost, (before[j - 2] ?? far) + 1);
      row[j] = cost;
      least = Math.min(least, cost);
    }
    // A swap may still save one that stands two rows above.
    if (least > most && i < a.length && Math.min(...above) >= most) return far;
    [before, above, row] = [above, row, before];
  }
  return above[b.length] ?? far;
}
