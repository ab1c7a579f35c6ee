/** Names a version by when it says that it was changed (ms since 1970), and by whom: nothing of what it says. */
export interface Mark {
  at: number;
  /** A short form of a device and its incarnation; its first half is the device's. */
  by: string;
}

/** Versions of one writer, each of which overwrote the one before it and nothing else; times of the first and the last. */
interface Run {
  by: string;
  from: number;
  to: number;
  /** What the first of them overwrote. */
  next: readonly Run[];
  /** Whether that is not all of it. */
  isOpen: boolean;
}

/** What a version goes back to, as far as it is known. */
export interface Lineage {
  next: readonly Run[];
  /** Whether it may go back to others besides. */
  isOpen: boolean;
  /** Whether its writer said something else at the same time or later: then nothing can go back to it by name. */
  isNameless: boolean;
}

/** A version in its lineage. */
export interface Descent {
  mark: Mark;
  lineage: Lineage;
}

/** Runs that a version tells of, so that a slot grows by some 120 bytes at most. */
const MOST_RUNS = 6;
/** Characters of a device, and of an incarnation, in a mark. */
const SHORT = 4;

const UNKNOWN: Lineage = { next: [], isOpen: true, isNameless: false };

const shortOf = (id: string) => id.slice(-SHORT).padStart(SHORT, '_');

/** The short form of a writer. */
export const shortWriter = ({ device, incarnation }: { device: string; incarnation: string }): string =>
  shortOf(device) + shortOf(incarnation);

/** Whether a version that is named so was written by a device, in any of its incarnations. */
export const isOfDevice = ({ by }: Mark, device: string): boolean => by.slice(0, SHORT) === shortOf(device);

/** A mark as text. */
export const markText = ({ by, at }: Mark): string => `${by}${at.toString(36)}`;

/** The mark that a text names; undefined for what is none. */
export function readMark(text: unknown): Mark | undefined {
  const [, by, at] = typeof text === 'string' ? (/^(.{8})([0-9a-z]{1,10})$/su.exec(text) ?? []) : [];
  return by === undefined || at === undefined ? undefined : { by, at: Number.parseInt(at, 36) };
}

/** Whether two marks name the same version. */
export const isSameMark = (a: Mark, b: Mark) => a.by === b.by && a.at === b.at;

/** A version and what it overwrote, as one run where one writer wrote both. */
function runTo({ mark: { by, at }, lineage }: Descent): Run {
  const [before, ...more] = lineage.next;
  if (before?.by === by && before.to < at && more.length === 0 && !lineage.isOpen)
    return { ...before, to: at };
  return { by, from: at, to: at, next: lineage.next, isOpen: lineage.isOpen };
}

const keyOf = ({ by, from, to }: Run) => `${by} ${from} ${to}`;

/** All runs that a version goes back to, each once. */
function runsOf({ next }: Pick<Lineage, 'next'>, found = new Map<string, Run>()): Map<string, Run> {
  for (const run of next) {
    const known = found.get(keyOf(run));
    if (known && (!known.isOpen || run.isOpen)) continue;
    found.set(keyOf(run), run);
    runsOf(run, found);
  }
  return found;
}

/** The lineage of what a writer says in place of `parents`; `isOpen`: others went with them, which were not looked at. */
export function descendFrom(
  parents: readonly Descent[],
  mark: Mark,
  { isOpen }: { isOpen: boolean },
): Lineage {
  const named = parents.filter(({ lineage }) => !lineage.isNameless);
  const next = named.map(runTo);
  const isLater = (run: Run) => run.by === mark.by && run.to >= mark.at;
  return {
    next,
    isOpen: isOpen || named.length < parents.length || parents.length === 0,
    isNameless:
      [...runsOf({ next }).values()].some(isLater) ||
      parents.some((parent) => parent.mark.by === mark.by && parent.mark.at >= mark.at),
  };
}

/** A lineage as texts, newest first: `BY` and the time of the last version of a run, how long before it the first one was, and what follows it where that is not the next one. */
export function lineageText(lineage: Lineage): string[] | undefined {
  if (lineage.isNameless) return [];
  if (lineage.next.length === 0) return undefined;
  const order = inOrder(runsOf(lineage)).slice(0, MOST_RUNS);
  const indexes = new Map(order.map((run, index) => [keyOf(run), index]));
  const following = ({ next, isOpen }: Pick<Run, 'next' | 'isOpen'>, byDefault: number): string => {
    const known = next.flatMap((run) => indexes.get(keyOf(run)) ?? []);
    const isCut = isOpen || known.length < next.length;
    const isDefault =
      byDefault < order.length
        ? !isCut && known.length === 1 && known[0] === byDefault
        : isCut && known.length === 0;
    return isDefault ? '' : `>${known.join('')}${isCut ? '~' : ''}`;
  };
  const head = following(lineage, 0);
  const texts = order.map((run, index) => {
    const length = run.to === run.from ? '' : `-${(run.to - run.from).toString(36)}`;
    return `${run.by}${run.to.toString(36)}${length}${following(run, index + 1)}`;
  });
  return head === '' ? texts : [head, ...texts];
}

/** Runs so that what follows one stands behind it, the newest first where either may. */
function inOrder(runs: ReadonlyMap<string, Run>): Run[] {
  const left = new Map(runs);
  const order: Run[] = [];
  while (left.size > 0) {
    const followers = new Set([...left.values()].flatMap(({ next }) => next.map(keyOf)));
    const free = [...left.values()].filter((run) => !followers.has(keyOf(run)));
    const [first] = (free.length > 0 ? free : [...left.values()]).sort((a, b) => b.to - a.to);
    if (!first) break;
    order.push(first);
    left.delete(keyOf(first));
  }
  return order;
}

const HEAD = /^>([0-9]{0,10})(~?)$/u;
const RUN = /^(.{8})([0-9a-z]{1,10})(?:-([0-9a-z]{1,10}))?(?:>([0-9]{0,10})(~?))?$/su;

/** The lineage that texts tell; of what no version of this program wrote it is not known. */
export function readLineage(texts: unknown): Lineage {
  if (!Array.isArray(texts) || !texts.every((text) => typeof text === 'string')) return UNKNOWN;
  if (texts.length === 0) return { ...UNKNOWN, isNameless: true };
  const head = HEAD.exec(texts[0] ?? '');
  const of = head ? texts.slice(1) : texts;
  if (of.length > 10) return UNKNOWN;
  const runs: (Run | undefined)[] = [];
  const following = (indexes: string | undefined, isCut: boolean, byDefault: number) => {
    if (indexes === undefined) {
      const run = runs[byDefault];
      return { next: run ? [run] : [], isOpen: run === undefined };
    }
    const next = [...indexes].map((index) => (Number(index) >= byDefault ? runs[Number(index)] : undefined));
    return {
      next: next.filter((run) => run !== undefined),
      isOpen: isCut || next.includes(undefined),
    };
  };
  for (let index = of.length - 1; index >= 0; index -= 1) {
    const [, by, to, length, indexes, cut] = RUN.exec(of[index] ?? '') ?? [];
    if (by === undefined || to === undefined) continue;
    const end = Number.parseInt(to, 36);
    const from = end - Number.parseInt(length ?? '0', 36);
    runs[index] = { by, from, to: end, ...following(indexes, cut === '~', index + 1) };
  }
  return { ...following(head?.[1], head?.[2] === '~', 0), isNameless: false };
}

/** Whether a version goes back to another one for certain. */
export const goesBackTo = ({ lineage }: Descent, mark: Mark): boolean =>
  [...runsOf(lineage).values()].some((run) => isIn(run, mark));

const isIn = ({ by, from, to }: Run, mark: Mark) => by === mark.by && from <= mark.at && mark.at <= to;

/**
 * The version that both go back to and that goes back to every other such one: their changes since then are what each of them did. Undefined
 * where there is none, or where it is not certain.
 */
export function commonAncestor(a: Descent, b: Descent): Mark | undefined {
  if (a.lineage.isNameless || b.lineage.isNameless) return undefined;
  if (goesBackTo(a, b.mark)) return b.mark;
  if (goesBackTo(b, a.mark)) return a.mark;
  const [ofA, ofB] = [a, b].map(({ lineage }) => [...runsOf(lineage).values()]) as [Run[], Run[]];
  const isBelow = (mark: Mark, above: Mark) =>
    isSameMark(mark, above) ||
    [...ofA, ...ofB].some(
      (run) =>
        isIn(run, above) &&
        ((isIn(run, mark) && mark.at < above.at) ||
          [...runsOf(run).values()].some((earlier) => isIn(earlier, mark))),
    );
  const common = ofA.flatMap((one) =>
    ofB.flatMap((other): Mark[] => {
      const at = Math.min(one.to, other.to);
      return one.by === other.by && at >= Math.max(one.from, other.from) ? [{ by: one.by, at }] : [];
    }),
  );
  const newest = common.find((mark) => common.every((other) => isBelow(other, mark)));
  if (!newest) return undefined;
  /** Whether all that is not told of what it goes back to lies before that version. */
  const isKnown = ({ lineage }: Descent, runs: readonly Run[]) =>
    !lineage.isOpen && runs.every(({ isOpen, by, from }) => !isOpen || isBelow({ by, at: from }, newest));
  /** Whether nothing lies between it and that version. */
  const isNext = (runs: readonly Run[]) => runs.every(({ by, to }) => isBelow({ by, at: to }, newest));
  const [knowsA, knowsB] = [isKnown(a, ofA), isKnown(b, ofB)];
  const isCertain = knowsA ? knowsB || isNext(ofA) : knowsB && isNext(ofB);
  return isCertain ? newest : undefined;
}
