/** A text in three parts: before its quote, the quote, and after it. */
export interface Quoted {
  before: string;
  quote: string;
  after: string;
}

/** Characters that are shown around a quote. */
const AROUND = 280;

/** A value around its quote, cut at blanks to what a reader needs; the whole of a short one. */
export function quoted(value: string, quote: string): Quoted {
  const at = quote === '' ? -1 : value.indexOf(quote);
  if (at < 0) return { before: cutEnd(value, 2 * AROUND), quote: '', after: '' };
  return {
    before: cutStart(value.slice(0, at), AROUND),
    quote,
    after: cutEnd(value.slice(at + quote.length), AROUND),
  };
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
