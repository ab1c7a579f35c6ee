import type { TextPassage } from './passages.ts';

/** What is quoted of a memory: a passage with the sentences around it, or with the line that leads to it. */
export interface Quote {
  readonly text: string;
  /** Where it stands in the value, in UTF-16 units; the line that leads to it may stand before. */
  readonly start: number;
  readonly end: number;
  /** The passages that are quoted beside the first one, by their places. */
  readonly places: readonly number[];
}

/** Characters of a quote. */
const LONGEST = 300;

/**
 * A passage as it is quoted: a sentence with those before and behind it in its paragraph while they fit, a line that ends with a colon with
 * what it leads to, an item and code with the line that leads to them. `isAlone` leaves out what stands before it.
 */
export function quoteOf(
  value: string,
  passages: readonly TextPassage[],
  { place, isAlone = false }: { place: number; isAlone?: boolean },
): Quote {
  const passage = passages[place];
  if (!passage) return { text: '', start: 0, end: 0, places: [] };
  const { kind, lead, start, end, text } = passage;
  if (kind === 'code' || kind === 'row') return { text: led(lead, text, '\n'), start, end, places: [] };
  if (text.endsWith(':')) {
    const following: number[] = [];
    let said = text;
    for (let at = place + 1; passages[at]?.lead === text; at++) {
      const next = passages[at]?.text ?? '';
      if (said.length + next.length > LONGEST) break;
      said += `\n${next}`;
      following.push(at);
    }
    if (following.length > 0)
      return {
        text: led(lead, said, ' '),
        start,
        end: passages[following.at(-1) ?? place]?.end ?? end,
        places: following,
      };
  }
  let [from, to] = [place, place];
  const fits = (first: number, last: number) =>
    passages[first]?.block === passage.block &&
    passages[last]?.block === passage.block &&
    (passages[last]?.end ?? 0) - (passages[first]?.start ?? 0) <= LONGEST;
  for (let grows = true; grows;) {
    grows = false;
    if (fits(from, to + 1)) [to, grows] = [to + 1, true];
    if (!isAlone && fits(from - 1, to)) [from, grows] = [from - 1, true];
  }
  const [begins, ends] = [passages[from]?.start ?? start, passages[to]?.end ?? end];
  const whole = value
    .slice(begins, ends)
    .replace(/\s*\n[ \t>]*/gu, (white) => (kind === 'item' ? ' ' : white.includes('\n') ? '\n' : white));
  return {
    text: led(lead, from === to ? text : whole, ' '),
    start: begins,
    end: ends,
    places: Array.from({ length: to - from + 1 }, (_, at) => from + at).filter((at) => at !== place),
  };
}

function led(lead: string | undefined, text: string, by: string): string {
  return lead === undefined || lead.length + text.length > LONGEST ? text : `${lead}${by}${text}`;
}
