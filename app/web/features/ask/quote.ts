/**
 * Whether a quote stands in a value as one piece, whatever its white space and `>`
 * marks; a row of a table does not, since it is quoted with its head.
 */
export function standsIn(value: string, quote: string): boolean {
  const plain = (text: string) => text.replace(/[\s>]+/gu, ' ').trim();
  return plain(value).includes(plain(quote));
}

/** An answer in parts: what answers, and what held before, each with the words that say so in front of it. */
export function partsOf(answer: string): { text: string; isOlder: boolean }[] {
  return answer
    .replace(/^Not sure\. The closest in memory:\n/u, '')
    .split(/\n(?=Until \d{1,2} \p{L}+ \d{4}: ")/u)
    .map((text, at) => ({ text, isOlder: at > 0 }));
}
