import type { Event } from '@reverie/shared/contract/events/events';
import { plainLine } from '../../ui/reading/plain-line.ts';

/** Characters in which a heading is looked for. */
const READ = 4_000;
/** Characters of a title: what a row has room for, and a little more. */
const LONGEST = 80;

/** What a memory of an event is called: its title, its first heading or its first sentence; undefined where it says none of these. */
export function titleIn(state: Event['data']['before']): string | undefined {
  const metadata = state?.['metadata'];
  const given =
    typeof metadata === 'object' && metadata !== null && 'title' in metadata ? metadata.title : undefined;
  if (typeof given === 'string' && given.trim() !== '') return shortened(given);
  const value = state?.['value'];
  if (typeof value !== 'string') return undefined;
  const heading = /^ {0,3}#{1,6}[ \t]+(.*?)[ \t#]*$/m.exec(value.slice(0, READ))?.[1];
  const said = plainLine(heading ?? value);
  const sentence = heading === undefined ? (/^.+?[.!?](?=\s|$)/u.exec(said)?.[0] ?? said) : said;
  return sentence === '' ? undefined : shortened(sentence);
}

function shortened(text: string): string {
  const plain = text.replace(/\s+/g, ' ').trim();
  if (plain.length <= LONGEST) return plain.replace(/\.$/, '');
  const word = plain.slice(0, LONGEST).lastIndexOf(' ');
  return `${plain.slice(0, word > LONGEST / 2 ? word : LONGEST - 1).toWellFormed()}…`;
}
