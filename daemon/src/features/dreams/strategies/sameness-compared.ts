import { stem } from '../../../language/porter.ts';
import { isSide, takesSides } from './near-text.ts';
import { type Content, isBefore, isWithin, replacedIn, type Wording } from './wording.ts';

/** Two memories, word laid on word. */
export interface Compared {
  readonly pair: readonly [Wording, Wording];
  /** What either says that the other does not. */
  readonly lost: readonly [readonly Content[], readonly Content[]];
  /** How much, by weight, either says of what the other says: the lesser share, and the greater one. */
  readonly share: number;
  readonly best: number;
  /** Terms that both have. */
  readonly shared: ReadonlySet<string>;
}

/** What words tell, together. */
export function weigh(lost: readonly Content[]): number {
  return lost.reduce((sum, { weight }) => sum + weight, 0);
}

/** Whether each names somebody whom the other does not. */
export function areNamed({ lost }: Compared): boolean {
  return lost.every((of) => of.some(({ isName }) => isName));
}

/** Whether each stands on a side that the other does not: north and south are much alike. */
export function areOpposed({ pair: [one, other] }: Compared): boolean {
  const isOnSide = (a: Wording, b: Wording) =>
    a.content.some(({ text, term }) => takesSides(text) && !b.terms.has(term));
  return isOnSide(one, other) && isOnSide(other, one);
}

/** Whether each writes a word with a capital that the other does not have, at the start of a text aside: `Mattermost` and `Slack`. */
export function areCapital({ pair }: Compared): boolean {
  const [one, other] = pair;
  const hasOwn = ({ of: { sentences } }: Wording, { terms }: Wording) =>
    sentences.some(({ tokens }) =>
      tokens.some(
        ({ text, term, start, says }) => start > 0 && says && /^\p{Lu}\p{Ll}/u.test(text) && !terms.has(term),
      ),
    );
  return hasOwn(one, other) && hasOwn(other, one);
}

/** Whether each names somebody whom the other does not, or one says on which side it is, or whose. */
export function areOthers(compared: Compared): boolean {
  const { lost } = compared;
  const areSides = lost.every((of) => of.some(({ text }) => takesSides(text)));
  return areNamed(compared) || lost.flat().some(({ text, isOwner }) => isOwner || isSide(text, !areSides));
}

/** Whether one names somebody whom the other does not; where names may be added, only who it is about counts. */
export function speaksOfOther({ pair, lost }: Compared, mayAdd: boolean): boolean {
  return lost.some((of, at) =>
    of.some(
      ({ isName, term }) =>
        isName &&
        (!mayAdd ||
          /^(?:the|our|my|an?)?$/u.test(
            pair[at]?.order.slice(0, pair[at].order.indexOf(term)).join(' ') ?? '',
          )),
    ),
  );
}

/** Whether one is about a part of what the other is about, or one kind of it. */
export function isPart({ pair, lost, shared }: Compared, isStrict: boolean): boolean {
  return pair.some(
    (one, at) => isWithin(lost[at] ?? [], one, shared) || (isStrict && isBefore(lost[at] ?? [], one, shared)),
  );
}

/** Words that stand for each other wherever they stand, and are no value of anything. */
const EQUAL = [
  'rest remainder others',
  'usually normally generally mostly',
  'whole entire complete',
  'nearly almost',
  'about around roughly approximately',
  'photo photograph picture pic',
  'tell inform notify',
  'ensure check',
  'however though',
  'need require',
  'use employ',
  'begin start commence',
  'end finish',
  'put place',
  'shut close',
  'hang hook',
  'reach arrive',
  'forbid prohibit ban',
  'permit allow let',
  'mail email',
  'directory folder',
  'correct right',
  'error mistake',
].map((group) => new Set(group.split(' ').map((word) => stem(word))));

/** Whether two words in one place are no two things: `rest` and `remainder`, or `di` and `della`. */
function isOneThing(a: Content | undefined, b: Content | undefined): boolean {
  if (!a || !b || a.isName || b.isName) return false;
  return (
    Math.min(a.text.length, b.text.length) <= 2 ||
    EQUAL.some((group) => group.has(a.stem) && group.has(b.stem))
  );
}

/**
 * Whether one has something in the place of something else: `the bilge pump runs on 12 volts` and `the cabin lights run on 12 volts`. Strictly, also
 * in the place of something of like meaning: `dark theme` and `light theme`.
 */
export function isReplaced({ pair: [one, other], lost }: Compared, isStrict: boolean): boolean {
  const among = (terms: readonly string[], content: readonly Content[]) =>
    content.filter(({ term }) => terms.includes(term));
  return replacedIn(one, other).some(([a, b]) => {
    if (among(a, lost[0]).length > 0 && among(b, lost[1]).length > 0) return true;
    const [x, y] = [among(a, one.content), among(b, other.content)];
    return isStrict && x.length === 1 && y.length === 1 && !isOneThing(x[0], y[0]);
  });
}
