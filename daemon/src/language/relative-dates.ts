import { DAY_OF, NEEDS_FEIRA } from './date-names.ts';
import { foldText } from './words/words.ts';

/** How wide a date is. Weeks begin on Monday. */
type Grain = 'day' | 'week' | 'month' | 'year';

/** A date that a question says by its distance from now: whole days in UTC, `[from, to)` in milliseconds since 1970. */
export interface RelativeDate {
  /** Where it stands, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  readonly from: number;
  readonly to: number;
  readonly grain: Grain;
  /** Its words, folded and in small letters. */
  readonly words: readonly string[];
}

const DAY = 86_400_000;

const split = (words: string) => words.split(/\s+/u);
const mapped = <T>(rows: readonly (readonly [T, string])[]) =>
  new Map(rows.flatMap(([value, words]) => split(words).map((word) => [word, value] as const)));

/** Last, this, next; those behind a noun only there (`viernes pasado`), the others before it, some in both places. */
const BEFORE = mapped([
  [
    -1,
    `last past previous letzte letzten letzter letztes letztem vergangene vergangenen vergangener vergangenes vorige vorigen voriger voriges
     pasado pasada ultimo ultima dernier derniere scorso scorsa afgelopen laatste passado passada`,
  ],
  [
    0,
    'this diese diesen dieser dieses diesem este esta ce cet cette questo questa quest deze dit neste nesta',
  ],
  [
    1,
    `next coming nachste nachsten nachster nachstes kommende kommenden kommender proximo proxima prochain prochaine prossimo prossima
     volgende volgend komende komend aanstaande`,
  ],
]);
const BEHIND = mapped([
  [-1, 'pasado pasada passado passada dernier derniere passe passee scorso scorsa passato passata'],
  [1, 'proximo proxima prochain prochaine prossimo prossima'],
]);
const UNITS = mapped<Grain>([
  ['week', 'week woche semana semaine settimana'],
  ['month', 'month monat monats mes mois mese maand'],
  ['year', 'year jahr jahres ano annee an anno jaar'],
]);
const DAYS_AWAY = mapped([
  [-2, 'vorgestern anteayer eergisteren anteontem'],
  [2, 'ubermorgen overmorgen dopodomani'],
  [-1, 'yesterday gestern ayer hier ieri gisteren ontem'],
  [1, 'tomorrow morgen manana demain domani amanha'],
]);
/** Before these, `morgen` and `mañana` are the morning; `hier` is German where no French word stands beside it. */
const MORNING =
  /^(?:heute|gestern|am|jeden|jeder|guten|den|der|deze|elke|de|la|las|por|cada|una|esta|goede)$/u;
const FRENCH = /\b(?:qu|que|quoi|quand|qui|est|ai|je|j|nous|le|la|les|ce|mon|ma|avant|fait|etait)\b/u;

interface FoldedWord {
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

/** The dates of a question in seven languages that `last`, `next`, `yesterday` and the like tell, resolved against now. */
export function relativeDates(text: string, now: Date): RelativeDate[] {
  const tokens = [...text.matchAll(/[\p{L}\p{M}]+/gu)].map(({ 0: word, index }): FoldedWord => ({
    word: foldText(word).toLowerCase(),
    start: index,
    end: index + word.length,
  }));
  const today = Math.floor(now.getTime() / DAY) * DAY;
  const found: RelativeDate[] = [];
  let at = 0;
  while (at < tokens.length) {
    const read = dateAt(tokens, at, today);
    if (read) found.push(read.date);
    at = read?.next ?? at + 1;
  }
  return found;
}

interface Named {
  readonly direction: number;
  readonly noun: Noun;
  /** The tokens that say it, `[first, next)`. */
  readonly first: number;
  readonly next: number;
}

type Noun = { readonly weekday: number } | { readonly unit: Grain };

function dateAt(tokens: readonly FoldedWord[], at: number, today: number) {
  const away = awayAt(tokens, at);
  if (away !== undefined) {
    const further = furtherAway(tokens, at);
    const days = further > 0 && Math.abs(away) === 1 ? 2 * away : away;
    return made(tokens, { first: at - further, next: at + 1 }, { on: today + days * DAY, grain: 'day' });
  }
  const weekday = nounOnly(tokens, at);
  const week = weekday && 'weekday' in weekday.noun ? namedAt(tokens, weekday.next) : undefined;
  // `Friday next week`
  if (weekday && week && 'unit' in week.noun && week.noun.unit === 'week')
    return made(
      tokens,
      { first: at, next: week.next },
      inWeek(weekday.noun, movedBy(today, 'week', week.direction)),
    );
  const named = namedAt(tokens, at);
  if (!named) return undefined;
  const { direction, noun } = named;
  const further = namedAt(tokens, named.next) ?? nounOnly(tokens, named.next);
  if ('weekday' in noun)
    return made(tokens, named, { on: weekdayAt(noun.weekday, direction, today), grain: 'day' });
  const on = movedBy(today, noun.unit, direction);
  // `vorige week dinsdag`, `letzte Woche Dienstag`
  if (noun.unit === 'week' && further && 'weekday' in further.noun)
    return made(tokens, { first: named.first, next: further.next }, inWeek(further.noun, on));
  return made(tokens, named, { on, grain: noun.unit });
}

function inWeek(noun: Noun, monday: number): { on: number; grain: 'day' } {
  return { on: monday + ('weekday' in noun ? (noun.weekday + 6) % 7 : 0) * DAY, grain: 'day' };
}

/** Tokens before `tomorrow` and `yesterday` that make it the day behind: `day after tomorrow`, `avant-hier`, `pasado mañana`. */
function furtherAway(tokens: readonly FoldedWord[], at: number): number {
  const before = (size: number) =>
    tokens
      .slice(Math.max(0, at - size), at)
      .map(({ word }) => word)
      .join(' ');
  if (/^(?:avant|altro|apres|pasado)$/u.test(before(1))) return 1;
  return /^(?:day after|day before|depois de)$/u.test(before(2)) ? 2 : 0;
}

function awayAt(tokens: readonly FoldedWord[], at: number): number | undefined {
  const word = tokens[at]?.word ?? '';
  const away = DAYS_AWAY.get(word);
  const before = tokens[at - 1]?.word ?? '';
  if ((word === 'morgen' || word === 'manana') && MORNING.test(before)) return undefined;
  if (word === 'hier' && !FRENCH.test(tokens.map((token) => token.word).join(' '))) return undefined;
  return away;
}

/** A noun that `last` or the like stands before or behind. */
function namedAt(tokens: readonly FoldedWord[], at: number): Named | undefined {
  const before = BEFORE.get(tokens[at]?.word ?? '');
  const behindIt = before === undefined ? undefined : nounOnly(tokens, at + 1);
  // `over the last year` are twelve months, wherever they begin.
  const isRecent = before === -1 && tokens[at - 1]?.word === 'the' && behindIt && 'unit' in behindIt.noun;
  if (before !== undefined && behindIt && !isRecent) return { ...behindIt, direction: before, first: at };
  const noun = nounOnly(tokens, at);
  if (!noun) return undefined;
  const [then, later] = [tokens[noun.next]?.word ?? '', tokens[noun.next + 1]?.word ?? ''];
  if (then === 'que' && /^(?:viene|vem)$/u.test(later)) return { ...noun, direction: 1, next: noun.next + 2 };
  const direction = BEHIND.get(then);
  return direction === undefined ? undefined : { ...noun, direction, next: noun.next + 1 };
}

/** A weekday, a week, a month or a year, by its name alone. */
function nounOnly(tokens: readonly FoldedWord[], at: number): Omit<Named, 'direction'> | undefined {
  const word = tokens[at]?.word ?? '';
  const unit = UNITS.get(word);
  if (unit !== undefined) return { noun: { unit }, first: at, next: at + 1 };
  const hasFeira = tokens[at + 1]?.word === 'feira';
  const weekday = NEEDS_FEIRA.has(word) && !hasFeira ? undefined : DAY_OF.get(word);
  return weekday === undefined ? undefined : { noun: { weekday }, first: at, next: at + (hasFeira ? 2 : 1) };
}

/** The last such day before today, the next one after it, or that of this week. */
function weekdayAt(weekday: number, direction: number, today: number): number {
  const here = movedBy(today, 'week', 0) + ((weekday + 6) % 7) * DAY;
  return direction === 0 || (here - today) * direction > 0 ? here : here + 7 * direction * DAY;
}

/** The first day of the week, month or year of a day, or of one so many later. */
function movedBy(day: number, grain: Grain, by: number): number {
  const date = new Date(day);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  switch (grain) {
    case 'year':
      return Date.UTC(year + by, 0);
    case 'month':
      return Date.UTC(year, month + by);
    case 'week':
      return day + (7 * by - ((date.getUTCDay() + 6) % 7)) * DAY;
    case 'day':
      return day + by * DAY;
  }
}

function made(
  tokens: readonly FoldedWord[],
  { first, next }: { first: number; next: number },
  { on, grain }: { on: number; grain: Grain },
) {
  const said = tokens.slice(first, next);
  const date: RelativeDate = {
    start: said[0]?.start ?? 0,
    end: said.at(-1)?.end ?? 0,
    from: on,
    to: movedBy(on, grain, 1),
    grain,
    words: said.map(({ word }) => word),
  };
  return { date, next };
}
