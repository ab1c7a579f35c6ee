import { sentencesOf } from '../../language/sentences.ts';
import { anyOf } from '../../language/word-lists.ts';

/** A part of a sentence that may state one thing. */
export interface Clause {
  readonly text: string;
  /** The sentence that it is from, word for word. */
  readonly sentence: string;
  /** Whether it goes on with the subject of the clause before (`… and plays drums`). */
  readonly goesOn: boolean;
  /** `is not`, `does not`, `no longer` were taken out of the text. */
  readonly negated: boolean;
}

/** A sentence longer than this is a paragraph, a log or a table. */
const LONGEST = 320;

/** What is asked, supposed, wished, planned, guessed or only possible is no fact. */
const NO_FACT = new RegExp(
  [
    '\\?',
    String.raw`^${anyOf('knowledge/asking-words')}\b`,
    String.raw`\b${anyOf('knowledge/supposing-words')}\b|\bwon['’]t\b|['’](?:ll|d)\b|\bgoing to\b|\babout to\b|\bwhat if\b`,
    '\\b(?:may|can|cannot|must)\\b(?!\\s+\\d)',
    '\\bas if\\b|\\be\\.g\\.|\\bfor example\\b|\\bfor instance\\b|\\bexample:',
    String.raw`\b${anyOf('knowledge/reporting-words')}\b|\baccording to\b`,
    String.raw`\b${anyOf('knowledge/hardly')}\b`,
    "\\b(?:didn|wasn|weren|couldn|shouldn|wouldn|hadn|can)['’]t\\b|\\b(?:did|was|were|had|could|should|would) not\\b",
  ].join('|'),
  'iu',
);
/** `may` the verb, not the month. */
const MONTH_MAY =
  /\b(?:\d{1,2}(?:st|nd|rd|th)?|in|since|of|by|until|last|next|early|late|mid)[\s-]+May\b|\bMay\s+\d/gu;
/** More than a name between quotation marks is what somebody said. */
const QUOTED = /["“„«»](?:[^"“”„«»]*\s){3}[^"“”„«»]*["”“«»]/u;
const CODE =
  /\w\([^()\s]*\)|[{}<>|\\]|=>|::|&&|\$\(|^\s*(?:\$|#|>|\/\/|--|at )|\b(?:const|let|def|return|import|select|insert|sudo|npm|git)\s+\S+.*[;({=]/u;

/** Small words of languages whose grammar the rules do not know; two of them, and the sentence is left alone. */
const FOREIGN = new RegExp(`(?<!\\p{L})${anyOf('knowledge/foreign-words')}(?!\\p{L})`, 'giu');

/** The statements of a text, clause by clause; questions, suppositions, plans, quotations and code are left out. */
export function clausesOf(text: string): Clause[] {
  return sentencesOf(withoutBlocks(text), LONGEST).flatMap(({ text: sentence }) => {
    const plain = sentence.replace(/^\s*(?:[-*•+]|\d{1,2}[.)])\s+/u, '').replace(/\*\*|__|`/gu, '');
    if (plain.length >= LONGEST || /^\s*>/u.test(sentence) || CODE.test(plain) || QUOTED.test(plain))
      return [];
    if ((plain.match(FOREIGN)?.length ?? 0) >= 2) return [];
    if (NO_FACT.test(plain.replace(MONTH_MAY, (month) => '#'.repeat(month.length)))) return [];
    return parts(spelledOut(plain)).flatMap((part) => {
      const clause = affirmed(part.text);
      return clause === undefined ? [] : [{ ...clause, sentence, goesOn: part.goesOn }];
    });
  });
}

/** `I'm`, `she's`: as two words, which the rules read. */
function spelledOut(text: string): string {
  return text
    .replace(/\bI['’]m\b/gu, 'I am')
    .replace(/\b(I|[Ww]e|[Tt]hey)['’]ve\b/gu, '$1 have')
    .replace(/\b([Ww]e)['’]re\b/gu, '$1 are')
    .replace(/\b([Hh]e|[Ss]he)['’]s\b/gu, '$1 is');
}

/** Without blocks of code and quoted lines, which are not what the memory says. */
function withoutBlocks(text: string): string {
  return text.replace(/^```[^\n]*\n[\s\S]*?(?:^```|$(?![\s\S]))/gmu, '\n').replace(/^\s*>[^\n]*$/gmu, '');
}

const BORDER =
  /;\s+|\s+[—–]\s+|(?:,\s+|\s+)(?<join>and|but)\s+(?=(?:(?:now|also|still|then|always|only|never|he|she|I|we)\s+)?(?:\p{Ll}+s|have|am|are|live|work|use|prefer|like|play|love|hate|moved|switched|upgraded)\s)|,\s+(?<open>and|but|so|while|because|since|where|which|who|whose|when|although|though)\s+/gu;

function parts(sentence: string): { text: string; goesOn: boolean }[] {
  const bare = sentence.replace(/\s*\([^()]*\)/gu, '');
  const found: { text: string; goesOn: boolean }[] = [];
  let from = 0;
  let goesOn = false;
  let isOpen = true;
  const push = (to: number) => {
    // `…, which runs on Linux` says something of what stands before it: of what, is hard to tell.
    if (isOpen) found.push({ text: bare.slice(from, to).trim(), goesOn });
  };
  for (const border of bare.matchAll(BORDER)) {
    push(border.index);
    from = border.index + border[0].length;
    goesOn = border.groups?.['join'] !== undefined;
    isOpen = !/^(?:which|who|whose|where|when)$/u.test(border.groups?.['open'] ?? '');
  }
  push(bare.length);
  return found;
}

const DENIAL =
  /\b(?:do|does)(?:n['’]t| not)\s+|\b(?<be>am|is|are|has|have)(?:n['’]t| not)\b|\s+(?:no longer|never|not)\b(?: any ?more\b)?|\s+(?:any ?more|any longer)\b/giu;

/** The clause as if it affirmed, and whether it denies; undefined where it denies in another way. */
function affirmed(text: string): { text: string; negated: boolean } | undefined {
  // `Leni likes peas, not carrots`: what is denied after a pause is something else.
  const pause = /[,:.]\s/u.exec(text)?.index ?? text.length;
  const isLater = new RegExp(DENIAL.source, 'iu').test(text.slice(pause)) || NEVER.test(text.slice(pause));
  const part = isLater ? text.slice(0, pause) : text;
  let denials = 0;
  const plain = part
    .replace(DENIAL, (match, be: string | undefined) => {
      if (!/^\s*any/iu.test(match)) denials += 1;
      return be ?? '';
    })
    .replace(/\s+/gu, ' ')
    .replace(/[.!:]+$/u, '')
    .trim();
  // Twice, or `no`, `nobody`, `without`: too much for a rule.
  if (denials > 1 || NEVER.test(plain)) return undefined;
  return plain === '' ? undefined : { text: plain, negated: denials === 1 };
}

const NEVER = /\b(?:nobody|nothing|none|neither|nor|without|no one|nowhere)\b/iu;
