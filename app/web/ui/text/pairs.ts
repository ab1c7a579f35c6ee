/** What a program sent, for people: a word or a sentence, or names with what they say. */
export type PairValue = string | readonly Pair[];
export type Pair = readonly [name: string, value: PairValue];

/** Objects within objects are read so deep; what lies deeper stands as it was sent. */
const DEEP = 5;

/** The fields of an object by names as people write them, `exit_code` as `Exit code`. */
export function pairsOf(record: Readonly<Record<string, unknown>>, deep = DEEP): Pair[] {
  return Object.entries(record).map(([name, value]) => [nameWords(name), valueWords(value, deep)]);
}

/** Pairs as lines of text, what belongs to a name below it. */
export function pairLines(pairs: readonly Pair[], indent = ''): string[] {
  return pairs.flatMap(([name, value]) =>
    typeof value === 'string'
      ? [`${indent}${name}: ${value}`]
      : [`${indent}${name}:`, ...pairLines(value, `${indent}  `)],
  );
}

/** Pairs on one line. */
export function pairsLine(pairs: readonly Pair[]): string {
  return pairs
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : `(${pairsLine(value)})`}`)
    .join(' · ');
}

function nameWords(name: string): string {
  const words = name
    .replace(/[_-]+/g, ' ')
    .replace(/(\p{Ll})(\p{Lu})/gu, (_, end: string, next: string) => `${end} ${next.toLowerCase()}`)
    .trim();
  return words === '' ? name : `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

function valueWords(value: unknown, deep: number): PairValue {
  if (value === null || value === undefined || value === '') return '–';
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value !== 'object') return JSON.stringify(value);
  if (Object.keys(value).length === 0) return '–';
  const isPlain = (one: unknown) => typeof one === 'string' || typeof one === 'number';
  if (Array.isArray(value) && value.every(isPlain)) return value.join(', ');
  if (deep === 0) return JSON.stringify(value);
  if (Array.isArray(value)) return value.map((one, at): Pair => [String(at + 1), valueWords(one, deep - 1)]);
  return pairsOf(Object.fromEntries(Object.entries(value)), deep - 1);
}
