import { plainText } from './plain-text.ts';
import type { ReadMemory } from '../notes/reading.ts';
import type { Proposal } from '../strategies/strategy.ts';
import { dayOf, firstSentence, shorten } from '../notes/day-and-quote.ts';

/** Characters of what is quoted in a title. */
const QUOTE = 120;

/** Merges equal memories into the oldest: other memories and people may refer to it. */
export function mergeEqual(group: readonly ReadMemory[]): Proposal {
  const sorted = [...group].sort(
    (a, b) => a.memory.createdAt - b.memory.createdAt || a.memory.id - b.memory.id,
  );
  const [keep, ...others] = sorted;
  if (!keep) throw new RangeError('a group of duplicates has members');
  const hide = others.map(({ memory }) => memory.key);
  const keeps = `Keep "${keep.memory.key}", the oldest (${dayOf(keep)}), and hide ${hide.length === 1 ? 'the other' : 'the others'} behind it.`;
  return {
    strategy: 'refine',
    title: `${group.length === 2 ? 'Two' : group.length} memories say exactly the same: "${quoted(keep)}"`,
    body: `${sorted.map((one) => `"${one.memory.key}" (${dayOf(one)})`).join(', ')} have the same text, but for case and punctuation. ${keeps}`,
    evidence: sorted.map((one) => ({ key: one.memory.key, sentence: firstSentence(one) })),
    confidence: 0.99,
    change: { kind: 'merge', keep: keep.memory.key, hide },
    content: `same ${plainText(keep.memory.value).slice(0, 200)}`,
  };
}

/** Merges two wordings into the one that says more, or into the older where they say as much. */
export function mergeNear(
  pair: readonly [ReadMemory, ReadMemory],
  alike: number,
  keepsNewer = saysMore(pair),
): Proposal {
  const [older, newer] = byAge(pair);
  const [keep, hide] = keepsNewer ? [newer, older] : [older, newer];
  return {
    strategy: 'refine',
    title: `Said twice: "${quoted(keep)}"`,
    body: `Both say the same in ${alike > 0.9 ? 'nearly the same' : 'different'} words, with the same numbers, names and dates. Keep "${keep.memory.key}" (${dayOf(keep)}), ${keepsNewer ? 'which says more' : 'the older'}, and hide "${hide.memory.key}" (${dayOf(hide)}) behind it.`,
    evidence: [older, newer].map((one) => ({ key: one.memory.key, sentence: firstSentence(one) })),
    confidence: Number((0.6 + 0.35 * alike).toFixed(2)),
    change: { kind: 'merge', keep: keep.memory.key, hide: [hide.memory.key] },
    content: 'near duplicate',
  };
}

/** What a memory says in a few words: keys that a machine made tell nobody anything. */
function quoted(one: ReadMemory): string {
  return shorten(
    firstSentence(one)
      .replaceAll(/\s+/gu, ' ')
      .replace(/[.;,]$/u, ''),
    QUOTE,
  );
}

/** The older one first. */
export function byAge([a, b]: readonly [ReadMemory, ReadMemory]): [ReadMemory, ReadMemory] {
  const isOlder = a.memory.createdAt - b.memory.createdAt || a.memory.id - b.memory.id;
  return isOlder <= 0 ? [a, b] : [b, a];
}

function saysMore(pair: readonly [ReadMemory, ReadMemory]): boolean {
  const [older, newer] = byAge(pair);
  return newer.memory.value.length > older.memory.value.length * 1.3;
}
