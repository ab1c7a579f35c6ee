import { type Concern, concernsOf } from './links-cues.ts';
import { isSameBearer, type Mention } from './mentions.ts';
import type { Reading, ReadMemory, ReadSentence } from './reading.ts';
import type { DreamView } from './strategy.ts';
import { type Thing, thingsOf, type Watch } from './things.ts';
import { type WordLore, wordLore } from './word-lore.ts';

/** How strong a link is that is doubtful; weaker ones are none. */
const LEAST = 0.3;
/** How strong one must be that is proposed without a model's word. */
export const SURE = 0.66;
/** Memories of one or two days are of one thread. */
const APART = 2;
const DAY = 86_400_000;
/** Who says so himself knows that two things only have a name in common. */
const DIFFERENT =
  /nothing to do with|different (?:thing )?from|not to be confused|another one|not the same|namesake|no relation|unrelated/iu;
/** Folders in which everything lies: they are no topic. */
const FOLDERS =
  /^(?:notes?|inbox|journal|diary|log|logs|misc|agent|agents|daily|ideas?|mem|memory|memories|dev|dv|m|home|work|people|family|life|todo|chat|tg|\d+)$/u;

/** Of them, what is a drawer: that two memories lie in it says nothing. */
const DRAWERS =
  /^(?:notes?|inbox|journal|diary|logs?|misc|agents?|daily|ideas?|mem|memory|memories|dev|dv|m|todo|chat|tg|\d+)$/u;

/** A thing as either memory mentions it. */
export type Shared = readonly [Mention, Mention];

/** Two memories that mention something that no third one does. */
export interface Link {
  readonly a: ReadMemory;
  readonly b: ReadMemory;
  readonly shared: readonly Shared[];
  readonly strength: number;
}

/** The links of a namespace, strongest first, doubtful ones among them; what is near in meaning is told by the view that was read. */
export function linksOf(reading: Reading, watch: Watch, view: Pick<DreamView, 'neighbours'>): Link[] {
  const pairs = new Map<string, { a: ReadMemory; b: ReadMemory; shared: Shared[] }>();
  const things = thingsOf(reading, watch);
  const series = seriesOf(reading);
  for (const { mentions, memories } of things.values()) {
    const [one, other] = mentions;
    if (!one || !other || memories > 2 || isOfMany(one, things)) continue;
    const [a, b] = [one.sentence.of, other.sentence.of];
    if (!isSameBearer(one, other) || isTogether(a, b)) continue;
    const id = `${a.memory.id} ${b.memory.id}`;
    const pair = pairs.get(id) ?? { a, b, shared: [] };
    pair.shared.push([one, other]);
    pairs.set(id, pair);
  }
  if (watch.isStopped()) return [];
  return [...pairs.values()]
    .map((pair): Link => {
      const strength = strengthOf(pair, reading, series);
      return { ...pair, strength: strength + useOf(pair) - (isObvious(pair, view) ? OBVIOUS : 0) };
    })
    .filter(({ strength }) => strength >= LEAST)
    .sort(
      (x, y) => y.strength - x.strength || x.a.memory.id - y.a.memory.id || x.b.memory.id - y.b.memory.id,
    );
}

/** Whether a title has the name of something that more memories speak of: `Museum Quintyn`, where Quintyn has a dozen notes. */
function isOfMany({ kind, id }: Mention, things: ReadonlyMap<string, Thing>): boolean {
  if (kind !== 'title') return false;
  const { idOf } = wordLore();
  return id.split(' ').some((word) => {
    const thing = things.get(idOf(word));
    return thing !== undefined && thing.memories > 2 && thing.mentions.some((one) => one.kind === 'name');
  });
}

/**
 * What a sentence says but for names and figures: `Timeout towards Botenblitz is 9 s` and `Timeout towards Paketfuchs is 5 s` are two of a
 * series. Undefined where that is next to nothing.
 */
function skeletonOf({ tokens }: ReadSentence, lore: WordLore): string | undefined {
  const terms = new Set(
    tokens.flatMap(({ says, shape, term, text }) =>
      says && shape === 'word' && lore.isOrdinary(text.toLowerCase()) ? [term] : [],
    ),
  );
  return terms.size >= 2 ? [...terms].sort().join(' ') : undefined;
}

/** Sentences of which the namespace has several that differ in a name or a figure only. */
function seriesOf(reading: Reading): Set<ReadSentence> {
  const lore = wordLore();
  const all = reading.memories.flatMap(({ sentences }) => sentences);
  const groups = Map.groupBy(all, (sentence) => skeletonOf(sentence, lore));
  return new Set(
    [...groups].flatMap(([skeleton, group]) => (skeleton !== undefined && group.length > 1 ? group : [])),
  );
}

/** Whether two memories are of one thread: whoever wrote them knows. */
export function isTogether(a: ReadMemory, b: ReadMemory): boolean {
  const { session } = a.memory;
  return (
    (session !== null && session === b.memory.session) ||
    Math.abs(a.memory.time - b.memory.time) < APART * DAY
  );
}

/** The first part of a key, where it is one. */
function folderOf({ memory: { key } }: ReadMemory): string | undefined {
  const folder = /^([\p{L}\p{N} _.-]+)\/./u.exec(key)?.[1]?.toLowerCase();
  return folder === undefined || DRAWERS.test(folder) ? undefined : folder;
}

/** Of so many nearest of each other, who sees one sees the other; a name of which nothing says whose it is adds little. */
const NEAREST = 3;
const OBVIOUS = 0.1;

function isObvious({ a, b, shared }: Omit<Link, 'strength'>, view: Pick<DreamView, 'neighbours'>): boolean {
  const isBare = shared.every((pair) => pair.every(({ kind, isMarked }) => kind === 'name' && !isMarked));
  const isNear = (one: ReadMemory, other: ReadMemory) =>
    view.neighbours(one.memory.id, NEAREST).some(({ id }) => id === other.memory.id);
  return isBare && isNear(a, b) && isNear(b, a);
}

/** What is lost where the notes do not say what one of them could be good for to the other. */
const IDLE = { printed: 0.15, full: 0.15, name: 0.2 } as const;
/** Where only one of them says so, or neither plainly. */
const SLIGHT = 0.1;
/** Where a program or a part has a fault, or can be had. */
const PLAIN = 0.05;
/** One lacks plainly what the other has. */
const ANSWERED = 0.1;

/** How much more, or less, a name in common is worth for what the sentences around it say of what is wanted, amiss or to be had. */
function useOf({ a, b, shared }: Omit<Link, 'strength'>): number {
  const [one, other] = [a, b].map((memory, at) =>
    concernsOf(
      around(
        memory,
        shared.map((pair) => pair[at === 0 ? 0 : 1].sentence),
      ),
    ),
  );
  if (!one || !other) return 0;
  const isPlain = (x: Concern, y: Concern) => x === 2 && y === 2;
  if (isPlain(one.lacks, other.has) || isPlain(one.has, other.lacks)) return ANSWERED;
  const said = Math.max(one.lacks, one.has) + Math.max(other.lacks, other.has);
  const isMeant = [one, other].some(({ lacks, has }) => lacks === 2 || has === 2);
  if (shared.some(isPrinted)) return said === 0 ? -IDLE.printed : isMeant ? PLAIN : 0;
  const isFull = shared.some((pair) => isWhole(pair));
  if (isFull) return said === 0 ? -IDLE.full : 0;
  return said < 2 ? -IDLE.name : said === 2 ? -SLIGHT : 0;
}

/** Whether it is a part number, an identifier or a program: `OpenTyp` is written as none else. */
function isPrinted([{ kind, text }]: Shared): boolean {
  return (
    kind === 'code' ||
    kind === 'symbol' ||
    kind === 'term' ||
    (kind === 'name' && /^(?!Mc|Mac|De|Di|La|Le|Van|O['’])\p{Lu}\p{Ll}+\p{Lu}/u.test(text))
  );
}

/** Whether both give a name in full: `Ansgar Tholen`, `Tholen Aseptics`. */
function isWhole([one, other]: Shared): boolean {
  return one.kind === 'title' || (one.kind === 'name' && one.beside.length > 0 && other.beside.length > 0);
}

/** The sentences that name it, and those beside them. */
function around({ sentences }: ReadMemory, naming: readonly ReadSentence[]): string {
  const at = new Set(naming.map((sentence) => sentences.indexOf(sentence)));
  return sentences
    .filter((_, index) => at.has(index) || at.has(index - 1) || at.has(index + 1))
    .map(({ text }) => text)
    .join(' ');
}

function strengthOf(
  { a, b, shared }: Omit<Link, 'strength'>,
  reading: Reading,
  series: ReadonlySet<ReadSentence>,
): number {
  if (DIFFERENT.test(`${a.memory.value}\n${b.memory.value}`)) return 0;
  const weigh = (terms: Iterable<string>) => [...terms].reduce((sum, term) => sum + reading.weight(term), 0);
  const named = shared
    .flatMap(([one, other]) => [one.text, other.text])
    .join(' ')
    .toLowerCase();
  const isFiled = (term: string) => a.keyTerms.includes(term) && b.keyTerms.includes(term);
  const others = [...a.terms].filter((term) => b.terms.has(term) && !named.includes(term) && !isFiled(term));
  const overlap = weigh(others) / Math.min(weigh(a.terms), weigh(b.terms));
  const best = Math.max(
    ...shared.map((pair) => valueOf(pair) - (pair.some(({ sentence }) => series.has(sentence)) ? 0.2 : 0)),
  );
  const more = new Set(shared.map(([{ sentence }]) => sentence)).size > 1 ? -0.05 : 0;
  // `work` is no topic, `invoices` is one.
  const isTopical = (term: string) =>
    !FOLDERS.test(term) && reading.frequency(term) <= Math.max(6, reading.memories.length * 0.04);
  // Two notes on one topic that name a person say nothing new; that name one part number may.
  const isPrinted = shared.some(([{ kind }]) => kind === 'code' || kind === 'symbol' || kind === 'term');
  const topics = a.keyTerms.some((term) => isTopical(term) && b.keyTerms.includes(term));
  const isOneFolder = folderOf(a) !== undefined && folderOf(a) === folderOf(b);
  const filed = topics && !isPrinted ? -0.25 : topics || isOneFolder ? -0.15 : 0;
  const days = Math.abs(a.memory.time - b.memory.time) / DAY;
  const near = days < 14 ? -0.2 : days < 30 ? -0.1 : 0;
  return (
    best +
    more +
    filed +
    near -
    (isPrinted ? Math.max(0, overlap - 0.1) * 0.6 : Math.max(0, overlap - 0.05) * 1.4)
  );
}

const VALUES: Readonly<Record<Mention['kind'], { readonly plain: number; readonly marked: number }>> = {
  code: { plain: 0.85, marked: 0.85 },
  symbol: { plain: 0.75, marked: 0.75 },
  name: { plain: 0.8, marked: 0.85 },
  term: { plain: 0.7, marked: 0.85 },
  title: { plain: 0.72, marked: 0.75 },
  known: { plain: 0.45, marked: 0.55 },
};

/** How much two mentions of one thing say that it is one, and rare: 0 to 1. */
export function valueOf([one, other]: Shared): number {
  const isMarked = one.isMarked || other.isMarked;
  const value = VALUES[other.kind === 'term' ? other.kind : one.kind][isMarked ? 'marked' : 'plain'];
  return value - (one.isUnsure && other.isUnsure ? 0.3 : one.isUnsure || other.isUnsure ? 0.05 : 0);
}
