import { longDate, shorten } from '../notes/day-and-quote.ts';
import { says } from '../../../language/grammar.ts';
import type { Due } from './dues.ts';

const LONGEST = 160;
const BEHIND_PREPOSITION =
  /(?:^|[^\p{L}])(?:on|by|until|till|before|of|in|for|due|bis|am|zum|vor|le|au|avant|\d,|\p{L}+day,?)\s*(?:the\s)?$/iu;

/** `3 March 2027`, or `March 2027`. */
export function dayOfDue({ on, grain }: Pick<Due, 'on' | 'grain'>): string {
  return grain === 'month' ? longDate(on).replace(/^\d+ /u, '') : longDate(on);
}

/** The sentence as a person would say it: with the whole date in its place, without marks of Markdown, and with the key where it names no thing. */
export function titleOf(due: Due): string {
  const { sentence, said } = due;
  const day = dayOfDue(due);
  const [before, after] = [sentence.text.slice(0, said.start), sentence.text.slice(said.end)];
  const written = sentence.text.slice(said.start, said.end);
  const isOfOtherYear =
    /(?:19|20)\d\d/u.test(written) && !written.includes(String(new Date(due.on).getUTCFullYear()));
  if (isOfOtherYear) return shorten(`${plain(sentence.text)}: ${day}`, LONGEST);
  const isWord = !/\d/u.test(written) || /^(?:in|within)\s/iu.test(written);
  const needsOn = isWord && due.grain === 'day' && !BEHIND_PREPOSITION.test(before);
  const told = plain(`${before}${needsOn ? (before.trim() === '' ? 'On ' : 'on ') : ''}${day}${after}`);
  const full = hasSubject(due) ? told : `${sentence.of.memory.key}: ${told}`;
  const short = shorten(full, LONGEST);
  return short.includes(day) ? short : `${day}: ${shorten(plain(sentence.text), LONGEST - 20)}`;
}

/** Without what Markdown, tables and JSON put around words. */
function plain(text: string): string {
  const words = text
    .replace(/^\s*(?:[-*+>#]+\s+|\d+[.)]\s+)*(?:\[[ x]\]\s+)?/u, '')
    .replaceAll(/\*\*|__|`|[{}"]/gu, '')
    .replaceAll(/(?<=\p{L}):(?=\p{L}|\d{1,2} \p{Lu})|,(?=\p{L}+:)/gu, (mark) => `${mark} `);
  return words
    .replaceAll(/^\s*\|\s*|\s*\|\s*$/gu, '')
    .replaceAll(/\s*\|\s*/gu, ', ')
    .replaceAll(/\s+/gu, ' ')
    .replace(/[.!,;]+$/u, '')
    .trim();
}

/** Whether it names a thing beside the date and what makes it due. */
function hasSubject({ sentence, said }: Due): boolean {
  return sentence.tokens.some(
    ({ says: tells, text, start, end }) =>
      tells && !(start < said.end && said.start < end) && !says(text, 'limits') && !says(text, 'to-come'),
  );
}
