import { type QuestionAbroad, readAbroad } from '../../language/abroad.ts';
import { loadOrdinaryWords } from '../../language/ordinary-words.ts';
import { sentencesOf } from '../../language/sentences.ts';
import { foldText, STOP_WORDS } from '../../language/words.ts';
import type { Look } from './deciding.ts';
import type { Judgement } from './judgement.ts';
import { labelOf, wordsOf } from './passages.ts';
import type { Answering } from './reranking.ts';

/** What English notes say to a question in another language. */
export interface ReadAbroad {
  readonly judgement: Judgement;
  /** The memories that state what is asked for, the newest first. */
  readonly ranked: readonly Answering[];
  readonly look: Look;
}

/**
 * Decides by a table of frequent attributes whether English notes answer a question in another language, whose words they do not have:
 * `Wo wohnt Anna?` by a sentence that names her and says where she lives, and by no other. Undefined where the table does not know
 * what is asked for, or where notes of what it names are in another language than English, perhaps in that of the question.
 */
export async function readNotesAbroad(
  look: (text: string) => Promise<Look>,
  first: Look,
): Promise<ReadAbroad | undefined> {
  const asked = readAbroad(first.state.question.text);
  if (!asked) return undefined;
  const { ranked } = first.state;
  const isKnown = (name: string) => ranked.some(({ memory }) => names(name, spokenBy(memory)));
  const words = asked.names.length > 0 ? asked.names : asked.things.flatMap((thing) => thing.words);
  const isOfIt = (memory: Answering['memory']) => words.some((word) => names(word, spokenBy(memory)));
  if (!asked.names.every(isKnown)) return undefined;
  const inEnglish = [asked.asked.english, ...asked.things.map(({ english }) => english), ...asked.names];
  const again = await look(`${inEnglish.join(' ')}?`);
  const all = new Map([...again.state.ranked, ...ranked].map((one) => [one.memory.id, one]));
  const stating = [...all.values()].flatMap((one) => {
    const text = statingSentence(asked, one.memory);
    const passage = text !== undefined && { text, words: wordsOf(text), concepts: new Set<number>() };
    return passage ? [{ ...one, evidence: { ...one.evidence, passage, beside: undefined } }] : [];
  });
  // Notes in another language may answer, too, in words that no table has.
  const isForeign = ranked.some(({ memory }) => isOfIt(memory) && !isEnglish(memory.value));
  const isNear = ranked.slice(0, 1).some(({ memory }) => isOfIt(memory));
  if (isForeign && (isNear || stating.length === 0)) return undefined;
  stating.sort((a, b) => b.memory.updated_at.localeCompare(a.memory.updated_at));
  const judgement: Judgement =
    stating.length > 0
      ? { found: true }
      : { found: false, mentions: asked.names.slice(0, 3), missing: [asked.written] };
  return { judgement, ranked: stating, look: again };
}

/** Characters of a memory that are read. */
const MOST = 12_000;
/** Share of the words in small letters that English has, in an English note. */
const ENGLISH = 0.7;

function isEnglish(text: string): boolean {
  const words = text.slice(0, 500).match(/(?<![\p{L}\p{N}_])\p{Ll}{2,}(?![\p{L}\p{N}_])/gu) ?? [];
  const { has } = loadOrdinaryWords();
  const known = words.filter((word) => STOP_WORDS.has(word) || has(word)).length;
  return words.length > 0 && known >= ENGLISH * words.length;
}

const spokenBy = (memory: Answering['memory']) => `${memory.value.slice(0, MOST)}\n${labelOf(memory)}`;

/** A name as a pattern, without the ending that German gives a possessor: Heidis is Heidi's. */
function pattern(name: string): string {
  return name.toLowerCase().replace(/(?<=\p{L}{3})s$/u, 's?');
}

function names(name: string, text: string): boolean {
  return new RegExp(
    String.raw`(?<![\p{L}\p{N}])${pattern(name)}(?:s(?![\p{L}\p{N}]))?(?![\p{L}\p{N}])`,
    'u',
  ).test(foldText(text).toLowerCase());
}

const DENIED = /\b(?:not|never|no longer|used to|nor)\b|n['’]t\b/iu;
const MAY_DENY = /\b(?:cannot|can['’]t|must not) eat\b/iu;
const PRONOUN = /^\W*(?:he|she|they|his|her|their|it|its)\b/iu;
/** Whoever they are, they are somebody else. */
const KIN =
  /^\s+(?:\p{Ll}+\s+)?(?:brother|sister|mother|father|mum|mom|dad|son|daughter|wife|husband|partner|uncle|aunt|cousin|friend|colleague|boss|neighbour|neighbor|parents|grand\p{L}+|in-laws?|ex)\b/iu;

/** The sentence of a memory that states what is asked for of what is named; undefined where none does. */
function statingSentence(question: QuestionAbroad, memory: Answering['memory']): string | undefined {
  const { asked, things } = question;
  const label = labelOf(memory);
  const value = memory.value.slice(0, MOST);
  return sentencesOf(value)
    .map(({ text }) => text)
    .find((text) => {
      const around = `${PRONOUN.test(text) ? value : text}\n${label}`;
      return (
        asked.said.test(text) &&
        (asked.shape?.test(text) ?? true) &&
        (!DENIED.test(text) || MAY_DENY.test(text)) &&
        question.names.every((name) => names(name, around)) &&
        things.every(({ said }) => said.test(around)) &&
        !isOfOther(question, text)
      );
    });
}

/** After a comma it is told of another one: `…, our baby was born`. */
const OTHER_SUBJECT = /,\s*(?:and |but )?(?:my|our|his|her|their|the|a)\s+\p{Ll}/iu;

/** Behind somebody's name, somebody or something of theirs that does it: `Anna's landlord works`, `Anna's cat is allergic`. */
const OF_THEIRS =
  /^\s+(?!(?:been|now|still|just|already|currently|also|recently|not)\s)(?:\p{Ll}+\s+){1,2}(?:lives|resides|moved|works|started|(?:is|was) (?:allergic|born|living|working|employed|based))\b/u;
/** What is wished, planned or asked is not so. */
const NOT_SO =
  /\b(?:wants?|wanted|would like|wishes|hopes?|hoped|plans?|planned|dreams?|dreamt|thinking|considering|whether|if)\b[^,;]{0,40}$/iu;
/** In a clause of its own somebody does it: `the town where Hugo lives`. */
const IN_CLAUSE = /\b(?:where|whether|that|because|while|when|if|but|though)\s+(\p{Lu}[\p{L}\p{M}-]*)\s+$/u;

/** Whether a sentence says it of somebody else: of Anna's mother, or of Bruno's car; or of nobody yet. */
function isOfOther({ asked, names: named, things }: QuestionAbroad, text: string): boolean {
  const before = text.slice(0, asked.said.exec(text)?.index);
  if (asked.isVerb && NOT_SO.test(before)) return true;
  if (asked.isVerb && things.length === 0) {
    if (OTHER_SUBJECT.test(before)) return true;
    const [, doer] = IN_CLAUSE.exec(before) ?? [];
    if (doer !== undefined && !named.some((name) => names(name, doer))) return true;
  }
  for (const { 1: owner = '', 0: match, index } of text.matchAll(/(\p{Lu}[\p{L}\p{M}-]*)['’]s?(?=\s)/gu)) {
    const behind = text.slice(index + match.length);
    const isNamed = named.some((name) => names(name, owner));
    if (isNamed && things.length === 0 && (KIN.test(behind) || (asked.isVerb && OF_THEIRS.test(behind))))
      return true;
    const owned = /^(?:\s+[\p{L}\p{N}-]+){1,3}/u.exec(behind)?.[0] ?? '';
    if (!isNamed && !asked.isVerb && asked.said.test(owned)) return true;
    if (isNamed && asked.isVerb && things.length === 0 && !asked.said.test(owned)) return true;
  }
  return false;
}
