import { foldText, STOP_WORDS } from '../../../language/words.ts';
import { codesIn } from './codes.ts';
import type { ReadMemory, ReadSentence } from './reading.ts';
import type { WordLore } from './word-lore.ts';

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
const TITLES =
  /^(?:dr|prof|professor|mr|mrs|ms|miss|frau|herr|sir|st|saint|mme|madame|monsieur|senor|senora|captain|father|sister|aunt|uncle|tante|onkel)$/u;
const STREETS =
  /^(?:street|road|lane|avenue|square|drive|close|terrace|crescent|hill|way|row|court|gate|station|airport|strasse|str|platz|allee|weg|gasse|rue|place|boulevard|plaza|calle|via|north|south|east|west|hospital|university|school|park|bridge|river)$/u;
const GERMAN =
  /(?:^|[^\p{L}])(?:der|die|das|und|ist|nicht|mit|für|ein|eine|auf|wir|ich|im|vom|zum|den|dem|hat|sind|war|beim|am)(?![\p{L}])/giu;
/** After which a word in small letters is a program, a product or a place of one's own. */
const PROGRAM_BEFORE =
  /(?:library|package|module|crate|gem|plugin|tool|repo|repository|framework|fork of|npm|pip|pinned?|pins|version of|upgrade[ds]? to|update[ds]?(?: to)?|install(?:ed|s)?|called|named|maintains?|via|imports?|depends on|uses?|using|with|through|from|[`"“„«])\s?$/iu;
const PROGRAM_AFTER =
  /^(?:[`"”“»]|\s(?:v?\d+(?:\.\d+)*(?![\p{L}\d]*\s?(?:€|euro|kg|ml|mg|cm|times|days|weeks))|is|has|can|below|above|before|library|package|module|version|release|plugin|repo|config|cli|api|does|skips|replicates|drops|throws|leaks|draws)(?![\p{L}]))/iu;

/** `tree-shaken`, `follow-up`: words that are joined to say something of others, or that English writes so. */
const JOINED =
  /(?:ed|en|ing|ly|er|ers|up|in|out|off|on|down|free|like|old|day|days|term|time|year|week|month|hour|minute|metre|style|size|only|based|wide|long|proof|friendly|specific|side|end|level|two|one|by|of|to|fro|law|laws)$/u;
const COMPOUND = /(?<![\p{L}\p{N}_./@-])\p{Ll}{2,}(?:-\p{Ll}{2,}){1,3}(?![\p{L}\p{N}_-]|[./]\p{L})/gu;
const ARTICLE =
  /(?:^|[^\p{L}])(?:an?|the|my|our|his|her|their|your|its|this|that|some|no|very|so|too|more|less)\s$/iu;
const BARE_AFTER =
  /^(?:$|[.,;:!?)"”“`»]|\s(?:\d|and|or|on|in|at|to|as|for|from|with|is|was|has|can|because|but|by|of|which|that|we|i|who)(?![\p{L}]))/iu;

/** What a memory mentions, each thing once, the names of its key among them where `text` names them, too. */
export function mentionsOf(memory: ReadMemory, lore: WordLore): Mention[] {
  const found = new Map<string, Mention>();
  const add = (mention: Mention): void => {
    const before = found.get(mention.id);
    if (!before || (!before.isMarked && mention.isMarked)) found.set(mention.id, mention);
  };
  const isGerman = (memory.memory.value.match(GERMAN)?.length ?? 0) >= 2;
  const isForeign = isGerman || memory.sentences.some(({ foreign }) => foreign);
  for (const sentence of memory.sentences) {
    const taken: (readonly [number, number])[] = [];
    for (const { id, text, start, end, hasFigures } of codesIn(sentence.text)) {
      taken.push([start, end]);
      if (!hasFigures && lore.isKnown(id)) continue;
      add({
        id,
        text,
        kind: hasFigures ? 'code' : 'symbol',
        sentence,
        beside: [],
        isMarked: false,
        isUnsure: false,
      });
    }
    for (const mention of wordsOf(sentence, { lore, isGerman, isForeign, taken })) add(mention);
  }
  return [...found.values()];
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

interface Around {
  readonly lore: WordLore;
  readonly isGerman: boolean;
  readonly isForeign: boolean;
  readonly taken: readonly (readonly [number, number])[];
}

function wordsOf(sentence: ReadSentence, { lore, isGerman, isForeign, taken }: Around): Mention[] {
  const { text } = sentence;
  const pieces = piecesOf(text, lore);
  const found: Mention[] = [];
  for (const run of runsOf(pieces, text)) {
    const names = run.filter(({ folded }) => !TITLES.test(folded));
    // `The` of `The Tollgate Trust`.
    if (names[0]?.isFirst && STOP_WORDS.has(names[0].folded)) names.shift();
    const isStreet = run.some(({ folded }) => STREETS.test(folded));
    const isTitled = run.length > names.length && run.some(({ folded }) => TITLES.test(folded));
    for (const [at, piece] of names.entries()) {
      if (piece.isOrdinary || piece.folded.length < 3 || /\d/u.test(piece.text)) continue;
      if (taken.some(([start, end]) => piece.start < end && start < piece.end)) continue;
      const beside = names.filter((other) => other !== piece && !(other.isFirst && other.isOrdinary));
      const isAcronym = /^\p{Lu}{2,}s?$/u.test(piece.text);
      const isKnown = lore.isKnown(piece.folded) || isStreet || isAcronym;
      found.push({
        id: lore.idOf(isAcronym ? piece.folded.replace(/s$/u, '') : piece.folded),
        text: piece.text.replace(POSSESSIVE, ''),
        kind: isKnown ? 'known' : 'name',
        sentence,
        // In German, `Gasthaus Hollerbusch` and `Hollerbusch-Wirt` are of one.
        beside: isGerman
          ? []
          : beside
              .filter((other) => Math.abs(names.indexOf(other) - at) > 1 || !isHyphened(text, piece, other))
              .map(({ folded }) => folded),
        isMarked: isTitled || beside.length > 0,
        isUnsure: (isGerman && !isTitled && beside.length === 0) || (isKnown && piece.isFirst),
      });
    }
    if (isStreet || isGerman) continue;
    for (const part of partsOf(names)) {
      const [first, last] = [part[0], part.at(-1)];
      const id = part.map(({ folded }) => folded).join(' ');
      if (!first || !last || lore.isHeard(id)) continue;
      found.push({
        id,
        text: text.slice(first.start, last.end).replace(POSSESSIVE, ''),
        kind: 'title',
        sentence,
        beside: [],
        isMarked: false,
        isUnsure: first.isFirst && first.isOrdinary,
      });
    }
  }
  for (const { 0: whole, index } of isForeign ? [] : text.matchAll(COMPOUND)) {
    const parts = whole.split('-');
    const last = parts.at(-1) ?? '';
    if (
      !parts.every((part) => lore.isOrdinary(part)) ||
      JOINED.test(last) ||
      lore.isOrdinary(whole) ||
      lore.isOrdinary(parts.join(''))
    )
      continue;
    const before = text.slice(Math.max(0, index - 24), index);
    const after = text.slice(index + whole.length, index + whole.length + 24);
    const isBare = !ARTICLE.test(before) && BARE_AFTER.test(after);
    found.push({
      id: parts.join(''),
      text: whole,
      kind: 'term',
      sentence,
      beside: [],
      isMarked: index === 0 || PROGRAM_AFTER.test(after) || (isBare && PROGRAM_BEFORE.test(before)),
      isUnsure: !isBare,
    });
  }
  for (const piece of pieces) {
    if (piece.isCapital || piece.isOrdinary || isForeign || piece.folded.length < 4) continue;
    if (/[\d'’]/u.test(piece.text) || taken.some(([start, end]) => piece.start < end && start < piece.end))
      continue;
    const before = text.slice(Math.max(0, piece.start - 24), piece.start);
    const after = text.slice(piece.end, piece.end + 24);
    const isMarked = piece.isFirst || PROGRAM_BEFORE.test(before) || PROGRAM_AFTER.test(after);
    found.push({
      id: lore.idOf(piece.folded),
      text: piece.text,
      kind: lore.isKnown(piece.folded) ? 'known' : 'term',
      sentence,
      beside: [],
      isMarked,
      isUnsure: lore.isKnown(piece.folded) && !isMarked,
    });
  }
  return found;
}

function isHyphened(text: string, a: Piece, b: Piece): boolean {
  return text.slice(Math.min(a.end, b.end), Math.max(a.start, b.start)) === '-';
}

/** The runs of two to four words of a run. */
function partsOf(run: readonly Piece[]): Piece[][] {
  return run.flatMap((_, from) =>
    [2, 3, 4].flatMap((length) => (from + length <= run.length ? [run.slice(from, from + length)] : [])),
  );
}

function piecesOf(text: string, lore: WordLore): Piece[] {
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
      isOrdinary: lore.isOrdinary(folded),
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
