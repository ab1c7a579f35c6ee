import type { Line } from './notes.ts';

const FIRST =
  /^(?:my|our|mine|ours|mein(?:e[nmrs]?)?|unser(?:e[nmrs]?)?|mon|ma|mes|notre|nos|mi|mis|nuestr[oa]s?)$/iu;
/** Whose: `my`, or a word that ends in `'s`; up to two words may stand between that and what is whose. */
const WHOSE =
  /(?<![\p{L}\p{N}])(?<whose>my|our|meine?[nmrs]?|unsere?[nmrs]?|mon|ma|mes|notre|nos|mis?|nuestr[oa]s?|\p{L}{2,}['’]s)\s(?<rest>[^\n.,;:!?()]{2,40})/giu;
/** `It's`, `she's` and `there's` own nothing. */
const NONE =
  /^(?:it|he|she|that|there|here|what|who|where|how|let|everyone|everybody|somebody|nobody|one|today|this)['’]s$/iu;

/** By the terms of a line that are somebody's: whose; `me` for `my` and `our`. */
function ownersIn({ sentence: { text }, terms }: Line): ReadonlyMap<string, string> {
  const owners = new Map<string, string>();
  for (const match of text.matchAll(WHOSE)) {
    const { whose = '', rest = '' } = match.groups ?? {};
    if (NONE.test(whose)) continue;
    const start = match.index + whose.length;
    const owner = FIRST.test(whose) ? 'me' : whose.toLowerCase().replace(/['’]s$/u, '');
    const owned = terms.filter((term) => term.start > start && term.start <= start + rest.length).slice(0, 2);
    for (const { term } of owned) if (!owners.has(term)) owners.set(term, owner);
  }
  return owners;
}

/** Whether what two lines speak of is somebody's in one and somebody else's in the other: `our flat`, `Katrin's flat`. */
export function haveOtherOwners(a: Line, b: Line): boolean {
  const [one, other] = [ownersIn(a), ownersIn(b)];
  let isOther = false;
  for (const [term, owner] of one) {
    const there = other.get(term);
    if (there === owner) return false;
    isOther ||= there !== undefined;
  }
  return isOther || isSomebodys(one, b, other) || isSomebodys(other, a, one);
}

/** `Mum's practice` against one of which nobody says whose it is, where the other one does not name her at all. */
function isSomebodys(
  owners: ReadonlyMap<string, string>,
  other: Line,
  there: ReadonlyMap<string, string>,
): boolean {
  return [...owners].some(
    ([term, owner]) =>
      owner !== 'me' &&
      other.has.has(term) &&
      !there.has(term) &&
      !other.sentence.text.toLowerCase().includes(owner),
  );
}

const MYSELF =
  /(?<![\p{L}\p{N}])(?:I|I['’]m|I['’]ve|my|me|mine|myself|ich|mir|mich|mein(?:e[nmrs]?)?|je|j['’]|mon|ma|mes|moi|yo|mi|mis)(?![\p{L}])/iu;

/** Whether one speaks of me alone, and the other of somebody by name: `my size is 39`, `a helmet for Bela`. */
export function areOfOthers(a: Line, b: Line): boolean {
  const isMine = ({ sentence }: Line): boolean => MYSELF.test(sentence.text);
  const isNamed = (line: Line, other: Line): boolean =>
    line.terms.some(
      ({ isName, isCode, isValue, term }) => isName && !isCode && !isValue && !other.has.has(term),
    );
  return (isMine(a) && !isMine(b) && isNamed(b, a)) || (isMine(b) && !isMine(a) && isNamed(a, b));
}
