import { listed } from '../../../language/word-lists.ts';
import { foldText, STOP_WORDS } from '../../../language/words.ts';
import { codesIn } from './codes.ts';
import { germanWordsIn, romanceWordsIn } from './other-languages.ts';
import type { ReadMemory, ReadSentence } from '../notes/reading.ts';
import type { KnownNames } from '../notes/known-names.ts';

/** A thing with a name of its own, as a memory mentions it. */
export interface Mention {
  /** As compared: lower case, without accents and possessive. */
  readonly id: string;
  readonly text: string;
  /**
   * `code`: with figures, a part number or an error code. `symbol`: an identifier without. `name`: a word that is in no dictionary, with a capital.
   * `term`: such a word in small letters. `known`: a name that many have heard. `title`: several words with capitals.
   */
  readonly kind: 'code' | 'symbol' | 'name' | 'term' | 'known' | 'title';
  readonly sentence: ReadSentence;
  /** Names that stand beside it, folded: they say which one is meant. An initial is one letter. */
  readonly beside: readonly string[];
  /** Whether the words around it say that it is a name: `Dr. Wittling`, `quillmark 0.9`, `` `zplkit` ``. */
  readonly isMarked: boolean;
  /** Whether it stands in a text of a language in which every noun has a capital, so that one says nothing. */
  readonly isUnsure: boolean;
}

const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}'’]*/gu;
const POSSESSIVE = /['’](?:s)?$/iu;
/** Small words within a name. */
const JOINS =
  /^\s(?:(?:de|del|della|di|da|do|du|des|van|von|der|den|la|le|el|al|of|the|and|&|y|zu|zum)\s){1,2}$|^[\s-]$|^\.\s$/u;
/** Before a surname. */
const TITLES = new Set(listed('dreams/titles'));
/** What makes a name that of a street, a school, or another place that everybody names. */
const STREETS = new Set(listed('dreams/street-words'));
/** `tree-shaken`, `follow-up`: ends of words that are joined to say something of others, or that English writes so. */
const JOINED = listed('dreams/joined-endings');
/** After which a word in small letters is a program, a product or a place of one's own, and what follows such a word. */
const BEFORE_PROGRAMS = listed('dreams/before-programs');
const AFTER_PROGRAMS = new Set(listed('dreams/after-programs'));
const NUMBER_AFTER = /^\sv?\d+(?:\.\d+)*(?![\p{L}\d]*\s?(?:€|euro|kg|ml|mg|cm|times|days|weeks))(?!\p{L})/iu;
/** What follows a name that says nothing of what comes next. */
const AFTER_BARE = new Set(listed('dreams/after-bare-names'));

/** `Quintyn & Moens` is a firm: neither is the first name of the other. */
const FIRM = /&|(?<![\p{L}])(?:and|und|et|y|e)(?![\p{L}])/u;

const AND = /^\s(?:and|und|et|y|e)\s$/u;

const COMPOUND = /(?<![\p{L}\p{N}_./@-])\p{Ll}{2,}(?:-\p{Ll}{2,}){1,3}(?![\p{L}\p{N}_-]|[./]\p{L})/gu;
const ARTICLE =
  /(?:^|[^\p{L}])(?:an?|the|my|our|his|her|their|your|its|this|that|some|no|very|so|too|more|less)\s$/iu;

/** What a memory mentions, each thing once. */
export function mentionsOf(memory: ReadMemory, known: KnownNames): Mention[] {
  const found = new Map<string, Mention>();
  const add = (mention: Mention): void => {
    const before = found.get(mention.id);
    // `Markus S. is backend, Markus T. the courier`: which one another memory means is not to be told.
    if (before && !isSameBearer(before, mention))
      found.set(mention.id, { ...before, isUnsure: true, kind: 'known' });
    else if (!before || (!before.isMarked && mention.isMarked)) found.set(mention.id, mention);
  };
  const isGerman = germanWordsIn(memory.memory.value) >= 2;
  const isForeign =
    isGerman ||
    romanceWordsIn(memory.memory.value) >= 2 ||
    memory.sentences.some(({ foreign }) => foreign) ||
    isOfAnother(memory.memory.value, known);
  for (const sentence of memory.sentences) {
    const codes = codesIn(sentence.text);
    for (const { id, text, hasFigures } of codes)
      if (hasFigures || !known.isKnown(id))
        add({
          id,
          text,
          kind: hasFigures ? 'code' : 'symbol',
          sentence,
          beside: [],
          isMarked: false,
          isUnsure: false,
        });
    const pieces = piecesOf(sentence.text, known).filter(
      ({ start, end }) => !codes.some((code) => start < code.end && code.start < end),
    );
    const at = { sentence, known, pieces, isGerman };
    for (const mention of namesIn(at)) add(mention);
    if (isForeign) continue;
    for (const mention of [...compoundsIn(at), ...termsIn(at)]) add(mention);
  }
  return [...found.values()];
}

/** Whether most words in small letters are in no dictionary of this language, whichever other one they are of. */
function isOfAnother(text: string, known: KnownNames): boolean {
  const words = (text.match(WORD) ?? []).filter((word) => /^\p{Ll}{2,}$/u.test(word));
  const own = words.filter((word) => known.isOrdinary(foldText(word))).length;
  return words.length >= 4 && own < words.length / 2;
}

/** Whether two mentions of a surname may mean one person: not with different first names, though `Z.` may be Zdeněk. */
export function isSameBearer(a: Mention, b: Mention): boolean {
  if (a.beside.length === 0 || b.beside.length === 0) return true;
  return a.beside.some((x) =>
    b.beside.some(
      (y) => x === y || (x.length === 1 && y.startsWith(x)) || (y.length === 1 && x.startsWith(y)),
    ),
  );
}

interface Piece {
  readonly text: string;
  readonly folded: string;
  readonly start: number;
  readonly end: number;
  readonly isCapital: boolean;
  /** Whether a capital is owed to the place: the first word of a sentence or of what is quoted. */
  readonly isFirst: boolean;
  readonly isOrdinary: boolean;
}

interface Place {
  readonly sentence: ReadSentence;
  readonly known: KnownNames;
  readonly pieces: readonly Piece[];
  readonly isGerman: boolean;
}

/** Words in no dictionary with a capital, and runs of words with capitals. */
function namesIn({ sentence, known, pieces, isGerman }: Place): Mention[] {
  const { text } = sentence;
  return runsOf(pieces, text).flatMap((run) => {
    const names = run.filter(({ folded }) => !TITLES.has(folded));
    // `The` of `The Tollgate Trust`.
    if (names[0]?.isFirst && STOP_WORDS.has(names[0].folded)) names.shift();
    const isStreet = run.some(({ folded }) => STREETS.has(folded));
    const isTitled = run.length > names.length && run.some(({ folded }) => TITLES.has(folded));
    const words = names.flatMap((piece, at): Mention[] => {
      if (piece.isOrdinary || piece.folded.length < 3 || /\d/u.test(piece.text)) return [];
      const beside = names.filter(
        (other) =>
          other !== piece &&
          !(other.isFirst && (other.isOrdinary || isGerman)) &&
          // `Die Geduld von Ola` is no name.
          !(isGerman && between(text, piece, other) === ' von '),
      );
      const isAcronym = /^\p{Lu}{2,}s?$/u.test(piece.text);
      const isKnown = known.isKnown(piece.folded) || isStreet || isAcronym;
      // In German, `Gasthaus Hollerbusch` and `Hollerbusch-Wirt` are of one.
      const tells = isGerman
        ? []
        : beside.filter(
            (other) =>
              (Math.abs(names.indexOf(other) - at) > 1 || !isHyphened(text, piece, other)) &&
              !FIRM.test(between(text, piece, other)),
          );
      return [
        {
          id: known.idOf(isAcronym ? piece.folded.replace(/s$/u, '') : piece.folded),
          text: piece.text.replace(POSSESSIVE, ''),
          kind: isKnown ? 'known' : 'name',
          sentence,
          beside: tells.map(({ folded }) => folded),
          isMarked: isTitled || beside.length > 0,
          isUnsure: (isGerman && !isTitled && beside.length === 0) || (isKnown && piece.isFirst),
        },
      ];
    });
    return isStreet || isGerman ? words : [...words, ...titlesIn(names, sentence, known)];
  });
}

function titlesIn(names: readonly Piece[], sentence: ReadSentence, known: KnownNames): Mention[] {
  return partsOf(names).flatMap((part): Mention[] => {
    const [first, last] = [part[0], part.at(-1)];
    const id = part.map(({ folded }) => folded).join(' ');
    if (!first || !last || known.isHeard(id)) return [];
    // `Ansgar and Corinna` are two, and no name.
    if (part.length === 2 && AND.test(between(sentence.text, first, last))) return [];
    return [
      {
        id,
        text: sentence.text.slice(first.start, last.end).replace(POSSESSIVE, ''),
        kind: 'title',
        sentence,
        beside: [],
        isMarked: false,
        isUnsure: first.isFirst && first.isOrdinary,
      },
    ];
  });
}

/** `husky-lint`: words of the dictionary that are joined as none of it are. */
function compoundsIn({ sentence, known }: Place): Mention[] {
  const { text } = sentence;
  return [...text.matchAll(COMPOUND)].flatMap(({ 0: whole, index }): Mention[] => {
    const parts = whole.split('-');
    const isWord =
      !parts.every((part) => known.isOrdinary(part) || known.isKnown(part)) ||
      JOINED.some((ending) => parts.at(-1)?.endsWith(ending)) ||
      known.isOrdinary(whole) ||
      known.isOrdinary(parts.join(''));
    if (isWord) return [];
    const [before, after] = around(text, index, index + whole.length);
    const isBare = !ARTICLE.test(before) && endsBare(after);
    return [
      {
        id: parts.join(''),
        text: whole,
        kind: 'term',
        sentence,
        beside: [],
        isMarked: index === 0 || isAfterProgram(after) || (isBare && isBeforeProgram(before)),
        isUnsure: !isBare,
      },
    ];
  });
}

/** A title in another language, quoted: its words are in no dictionary of this one. */
const FOREIGN_TITLE =
  /["“„«](?:der|die|das|ein|eine|le|la|les|l['’]|un|une|el|los|las|una|il|lo|gli|o|os)(?<=['’]|(?=\s))[^"“”„«»]*["“”»]/giu;

/** Words in no dictionary, in small letters. */
function termsIn({ sentence, known, pieces }: Place): Mention[] {
  const { text } = sentence;
  const quoted = [...text.matchAll(FOREIGN_TITLE)].map(
    ({ 0: { length }, index }) => [index, index + length] as const,
  );
  return pieces.flatMap((piece): Mention[] => {
    if (quoted.some(([from, to]) => from < piece.start && piece.start < to)) return [];
    if (piece.isCapital || piece.isOrdinary || piece.folded.length < 4 || /[\d'’]/u.test(piece.text))
      return [];
    const [before, after] = around(text, piece.start, piece.end);
    const isKnown = known.isKnown(piece.folded);
    // `the meetup` is a thing of which there are many.
    const isNoun = ARTICLE.test(before) && !isAfterProgram(after);
    const isMarked = !isNoun && (piece.isFirst || isBeforeProgram(before) || isAfterProgram(after));
    return [
      {
        id: known.idOf(piece.folded),
        text: piece.text,
        kind: isKnown ? 'known' : 'term',
        sentence,
        beside: [],
        isMarked,
        isUnsure: isNoun || (isKnown && !isMarked),
      },
    ];
  });
}

function isBeforeProgram(text: string): boolean {
  const said = text.replace(/\s$/u, '').toLowerCase();
  return /[`"“„«]$/u.test(said) || BEFORE_PROGRAMS.some((words) => said.endsWith(words));
}

function isAfterProgram(text: string): boolean {
  return /^[`"”“»]/u.test(text) || NUMBER_AFTER.test(text) || AFTER_PROGRAMS.has(nextWord(text));
}

function endsBare(text: string): boolean {
  return /^(?:$|[.,;:!?)"”“`»]|\s\d(?!\p{L}))/u.test(text) || AFTER_BARE.has(nextWord(text));
}

/** The word behind a blank, in small letters. */
function nextWord(text: string): string {
  return /^\s(\p{L}+)/u.exec(text)?.[1]?.toLowerCase() ?? '';
}

function around(text: string, start: number, end: number): [string, string] {
  return [text.slice(Math.max(0, start - 24), start), text.slice(end, end + 24)];
}

function isHyphened(text: string, a: Piece, b: Piece): boolean {
  return between(text, a, b) === '-';
}

function between(text: string, a: Piece, b: Piece): string {
  return text.slice(Math.min(a.end, b.end), Math.max(a.start, b.start));
}

/** The runs of two to four words of a run. */
function partsOf(run: readonly Piece[]): Piece[][] {
  return run.flatMap((_, from) =>
    [2, 3, 4].flatMap((length) => (from + length <= run.length ? [run.slice(from, from + length)] : [])),
  );
}

function piecesOf(text: string, known: KnownNames): Piece[] {
  return [...text.matchAll(WORD)].map(({ 0: word, index }) => {
    const folded = foldText(word.replace(POSSESSIVE, '')).toLowerCase();
    return {
      text: word,
      folded,
      start: index,
      end: index + word.length,
      isCapital: /^\p{Lu}/u.test(word),
      isFirst:
        index === 0 || /(?:^|[.:!?…"“„«(\n–—-])\s*["“„«(]?$/u.test(text.slice(Math.max(0, index - 3), index)),
      isOrdinary: known.isOrdinary(folded),
    };
  });
}

/** Words with capitals that stand together, small words between them passed over. */
function runsOf(pieces: readonly Piece[], text: string): Piece[][] {
  const runs: Piece[][] = [];
  let run: Piece[] = [];
  let last: Piece | undefined;
  for (const piece of pieces.filter(({ isCapital }) => isCapital)) {
    const between = last ? text.slice(last.end, piece.start) : '';
    if (run.length > 0 && JOINS.test(between) && run.length < 6) run.push(piece);
    else {
      if (run.length > 0) runs.push(run);
      run = [piece];
    }
    last = piece;
  }
  if (run.length > 0) runs.push(run);
  return runs;
}
