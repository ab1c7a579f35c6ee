import type { Question } from './question.ts';

const ABOUT_THE_PAST =
  /\b(?:did|was|were|had|has|have)\b|\b(?:yet|already|by now|in the end|finally|really|actually|turn(?:ed)? out|went|came)\b/iu;
const ABOUT_AN_OUTCOME =
  /\b(?:by now|in the end|finally|really|actually|turn(?:ed)? out|come out|came out|went|go|result|outcome|so far|already|yet|eventually)\b/iu;
const ABOUT_THE_FUTURE = /\b(?:will|going to|should|planned|shall)\b/iu;
const HOW_OR_WHAT = /^\W*how (?:did|was|were|has|have|do|does|is|are)\b|^\W*what (?:did|was|came|has)\b/iu;
/** Words of what is meant to be, or may be. */
const PLANNED =
  /\b(?:will|shall|wants? to|wanted to|would like|plan(?:s|ned|ning)?|going to|should|must|needs?|to be|next|tomorrow|until|from|asked|ask|try|let's|we'll|i'll|may|might|could|decide|idea|maybe|perhaps|if|expects?|hopes?|thinking of|intends?|todo|deadline|by the|in (?:two|three|four|six|a) (?:weeks?|months?|days?)|comes on|is on|starts?|is due)\b/giu;
/** Words of what has happened. */
const DONE =
  /\b(?:was|were|had|did|got|went|came|took|gave|bought|sold|paid|made|said|told|found|left|kept|won|lost|broke|wrote|sent|put|met|saw|began|ran|built|brought|chose|\p{L}{3,}ed)\b/giu;
const DENIES = /\b(?:not|no|never|nobody|nothing|without|neither)\b|n['’]t\b/iu;
/** More of them say no more. */
const MOST = 3;

/** Whether a sentence tells what came of it, where the question asks for that, or only what was planned; and what is denied. */
export function outcomeSigns({ text }: Pick<Question, 'text'>, sentence: string) {
  const asksPast = Number(ABOUT_THE_PAST.test(text));
  const asksOutcome = Number(ABOUT_AN_OUTCOME.test(text));
  const planned = Math.min(MOST, sentence.match(PLANNED)?.length ?? 0);
  const done = Math.min(MOST, sentence.match(DONE)?.length ?? 0);
  return {
    asksPast,
    asksOutcome,
    asksFuture: Number(ABOUT_THE_FUTURE.test(text)),
    asksHow: Number(HOW_OR_WHAT.test(text)),
    planned,
    done,
    pastPlanned: asksPast * (planned - done),
    outcomePlanned: asksOutcome * (1 + planned - done),
    deniedByOne: Number(DENIES.test(text)) - Number(DENIES.test(sentence)),
  };
}
