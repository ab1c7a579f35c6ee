/** Names that are told at most. */
const MOST = 3;

/** Beyond so many letters changed a name is another one, not a mistyped one. */
const MOST_CHANGES = 4;

/** Fewer letters are the start of too many names. */
const LEAST_START = 5;

/** Which names a person may have meant, the likeliest first: they differ in few letters, or one holds the other. */
export function nearest(given: string, names: Iterable<string>): string[] {
  const word = given.toLowerCase();
  const found: { name: string; distance: number }[] = [];
  for (const name of names) {
    const distance = distanceOf(word, name.toLowerCase());
    if (distance !== undefined) found.push({ name, distance });
  }
  return found
    .sort((a, b) => a.distance - b.distance || a.name.length - b.name.length || (a.name < b.name ? -1 : 1))
    .slice(0, MOST)
    .map(({ name }) => name);
}

/** Changed letters between two names; more than of any mistyping where one holds the other, or is its start. */
function distanceOf(word: string, name: string): number | undefined {
  const [shorter, longer] = word.length < name.length ? [word, name] : [name, word];
  const most = Math.min(MOST_CHANGES, Math.floor(longer.length * 0.4));
  const changes = longer.length - shorter.length > most ? Infinity : editDistance(word, name);
  if (changes <= most) return changes;
  if (shorter.length >= 3 && longer.includes(shorter)) return MOST_CHANGES + 0.5;
  // The start of a long name, mistyped: names of first words are long.
  if (word.length < LEAST_START || word.length >= name.length) return undefined;
  const ofStart = editDistance(word, name.slice(0, word.length));
  return ofStart <= 2 ? MOST_CHANGES + ofStart : undefined;
}

/**
 * Letters that were added, left out, changed or swapped with their neighbour (optimal string alignment,
 * https://en.wikipedia.org/wiki/Damerau–Levenshtein_distance).
 */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      let least = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (isSame ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, (before[j - 2] ?? 0) + 1);
      row.push(least);
    }
    [before, last] = [last, row];
  }
  return last[b.length] ?? 0;
}
