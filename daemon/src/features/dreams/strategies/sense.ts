import { figuresOf } from './near-text.ts';
import type { ReadMemory } from './reading.ts';

/** Ways of denying, `never` and `not` and others that do without either. */
const DENIES =
  /(?<![\p{L}])(?:not|no|never|none|nothing|nobody|neither|nor|without|cannot|\p{L}+n['’]t|nicht|kein(?:e[nmrs]?)?|nie|ohne|pas|jamais|sans|hardly|too (?:much|many|long|big|small|late|early|short|wide|heavy|high) (?:for|to)|rather than|instead of|free of|keep(?:s|ing)?(?: \p{L}+){0,3} (?:out of|away from|off)|stays? (?:out of|away from|off|clear of)|avoid|forbidden|prohibited|banned|taboo|hates?|detests?|refuses?|lacks?)(?![\p{L}])/giu;
const MORE =
  /(?<![\p{L}])(?:above|over|more than|longer|higher|bigger|larger|beyond|exceed(?:s|ing)?|at least|or more|minimum|no less|from \d)(?![\p{L}])/iu;
const LESS =
  /(?<![\p{L}])(?:below|under|less than|or less|shorter|lower|smaller|up to|at most|maximum|capped|limited|limit|cap|within|fewer)(?![\p{L}])/iu;

/** That somebody has to agree first: `not without asking` and `ask first` are one. */
const ASKS_FIRST =
  /(?<![\p{L}])(?:(?:not|never|no|nothing)(?![\p{L}])[^,;:.]*?)?(?:without|needs?|requires?|get|wants?) (?:asking|(?:(?:my|our|his|her|their|the|an?|\p{L}+['’]s) )?(?:ok|okay|yes|approval|permission|consent|go-ahead|sign-off|signature|blessing))(?![\p{L}])/iu;
const AGREES =
  /(?<![\p{L}])(?:before|until|unless)(?![\p{L}])[^;.]*(?:yes|ok|okay|agree[sd]?|approve[sd]?|ask(?:s|ed)?|sign(?:s|ed)? off)(?![\p{L}])/iu;

/** Whether a text denies anything, but that something be done without asking. */
export function denies(text: string): boolean {
  return text.replace(ASKS_FIRST, ' ').search(DENIES) >= 0;
}

/** Whether a text says that somebody has to agree first. */
export function asksFirst(text: string): boolean {
  return ASKS_FIRST.test(text) || AGREES.test(text);
}

/** `two thousand`, `a hundred`: as figures. */
const HUNDREDS: readonly (readonly [RegExp, string])[] = [
  [/(?<![\p{L}])(?:a|one) hundred(?![\p{L}])/giu, '100'],
  [/(?<![\p{L}])(?:a|one) thousand(?![\p{L}])/giu, '1000'],
];

/** Figures, as they must be alike in two memories that say the same in other words; units are left to the words. */
export function figuresIn(memory: ReadMemory): string {
  let text = memory.memory.value;
  if (!/hundred|thousand/iu.test(text)) return figuresOf(memory);
  for (const [written, figure] of HUNDREDS) text = text.replace(written, figure);
  return figuresOf({ ...memory, sentences: [{ of: memory, text, tokens: [], foreign: false }] });
}

/**
 * Which side of its figures a text is on: 1 for `more than 50`, -1 for `no more than 50` and for `up to 50`, 0 where it says neither. Only the
 * clauses with a figure are read.
 */
export function sideOf(memory: ReadMemory): number {
  const clauses = memory.memory.value
    .split(/[,;:.](?!\d)|[()]/u)
    .filter((clause) =>
      /\d|(?<![\p{L}])(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|hundred|thousand)(?![\p{L}])/iu.test(
        clause,
      ),
    );
  for (const clause of clauses) {
    const [more, less] = [MORE.test(clause), LESS.test(clause)];
    if (more === less) continue;
    return (more ? 1 : -1) * (denies(clause) ? -1 : 1);
  }
  return 0;
}
