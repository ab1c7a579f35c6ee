import { diff, linesOf, wordsOf } from '../../../../ui/text/diff.ts';

/** Three texts: what two people began from, and what each of them made of it. */
export interface Versions {
  base: string;
  mine: string;
  theirs: string;
}

/** A part of the base, from one of its pieces to another, that somebody replaced. */
interface Edit {
  from: number;
  to: number;
  pieces: readonly string[];
}

function editsOf(base: readonly string[], changed: readonly string[]): Edit[] {
  const edits: Edit[] = [];
  let at = 0;
  let open: { from: number; to: number; pieces: string[] } | undefined;
  for (const { kind, parts } of diff(base, changed)) {
    if (kind === 'same') {
      if (open) edits.push(open);
      open = undefined;
    } else {
      open ??= { from: at, to: at, pieces: [] };
      if (kind === 'added') open.pieces.push(...parts);
      else open.to = at + parts.length;
    }
    if (kind !== 'added') at += parts.length;
  }
  return open ? [...edits, open] : edits;
}

function isSame(one: Edit, other: Edit): boolean {
  return one.from === other.from && one.to === other.to && one.pieces.join('') === other.pieces.join('');
}

/** Pieces of the base between `from` and `to` with those edits of one side made that lie there. */
function made(
  base: readonly string[],
  edits: readonly Edit[],
  { from, to }: Pick<Edit, 'from' | 'to'>,
): string {
  let at = from;
  let text = '';
  for (const edit of edits) {
    text += base.slice(at, edit.from).join('') + edit.pieces.join('');
    at = edit.to;
  }
  return text + base.slice(at, to).join('');
}

/** Makes the edits of both; where they touch, `settle` is told what each side has there and says what stands. */
function merge(
  { base, mine, theirs }: Record<keyof Versions, readonly string[]>,
  settle: (mine: string, theirs: string) => string,
): string {
  const left = editsOf(base, mine);
  const right = editsOf(base, theirs);
  let text = '';
  let at = 0;
  while (left.length > 0 || right.length > 0) {
    const from = Math.min(left[0]?.from ?? base.length, right[0]?.from ?? base.length);
    let to = from;
    const ours: Edit[] = [];
    const others: Edit[] = [];
    // An edit that begins where another one ends touches it.
    const take = (of: Edit[], into: Edit[]): boolean => {
      const [next] = of;
      if (!next || next.from > to) return false;
      to = Math.max(to, next.to);
      into.push(next);
      of.shift();
      return true;
    };
    while (take(left, ours) || take(right, others));
    text += base.slice(at, from).join('');
    const [one] = ours;
    const [other] = others;
    const place = { from, to };
    if (!other || (one && ours.length === 1 && others.length === 1 && isSame(one, other)))
      text += made(base, ours, place);
    else if (!one) text += made(base, others, place);
    else text += settle(made(base, ours, place), made(base, others, place));
    at = to;
  }
  return text + base.slice(at).join('');
}

/** The text with the edits of both, where they are in places apart; undefined where they touch. */
export function mergeApart({ base, mine, theirs }: Versions): string | undefined {
  let doTouch = false;
  const merged = merge({ base: wordsOf(base), mine: wordsOf(mine), theirs: wordsOf(theirs) }, (own) => {
    doTouch = true;
    return own;
  });
  return doTouch ? undefined : merged;
}

/** The text with the edits of both; of lines that both changed it has mine, and theirs below them. */
export function keepBoth({ base, mine, theirs }: Versions): string {
  return merge({ base: linesOf(base), mine: linesOf(mine), theirs: linesOf(theirs) }, (own, other) =>
    own === '' || other === '' || own.endsWith('\n') ? own + other : `${own}\n${other}`,
  );
}
