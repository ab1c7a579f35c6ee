/** A text in three parts: before its quote, the quote, and after it. */
export interface Quoted {
  before: string;
  quote: string;
  after: string;
}

/** Characters that are shown around a quote. */
const AROUND = 280;

/**
 * A value around its quote, cut at blanks to what a reader needs; the whole of a short one. White space may differ. A quote that does not stand
 * there in one piece, such as a row with its head, is shown by itself.
 */
export function quoted(value: string, quote: string): Quoted {
  const words = quote.split(/\s+/u).filter((word) => word !== '');
  if (words.length === 0) return { before: cutEnd(value, 2 * AROUND), quote: '', after: '' };
  const shape = new RegExp(
    words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/-]/gu, '\\$&')).join('[\\s>]+'),
    'u',
  );
  const match = shape.exec(value);
  if (!match) return { before: '', quote, after: '' };
  const [found] = match;
  return {
    before: cutStart(value.slice(0, match.index), AROUND),
    quote: found,
    after: cutEnd(value.slice(match.index + found.length), AROUND),
  };
}

/** An answer in parts: what answers, and what held before, each with the words that say so in front of it. */
export function partsOf(answer: string): { text: string; isOlder: boolean }[] {
  return answer
    .replace(/^Not sure\. The closest in memory:\n/u, '')
    .split(/\n(?=(?:Until \d{1,2} \p{L}+ \d{4}|Before that): ")/u)
    .map((text, at) => ({ text, isOlder: at > 0 }));
}

function cutStart(text: string, most: number): string {
  if (text.length <= most) return text;
  const blank = text.indexOf(' ', text.length - most);
  return `…${blank < 0 ? text.slice(-most) : text.slice(blank)}`;
}

function cutEnd(text: string, most: number): string {
  if (text.length <= most) return text;
  const blank = text.lastIndexOf(' ', most);
  return `${blank <= 0 ? text.slice(0, most) : text.slice(0, blank)}…`;
}
