/** A word of at least 16 characters without blanks, quotes and brackets: nothing shorter is a token. */
export interface Word {
  text: string;
  start: number;
}

const SHORTEST = 16;
const OF_TOKENS = new Uint8Array(128);
for (const one of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/_=.~:%@-')
  OF_TOKENS[one.charCodeAt(0)] = 1;

/** The long words of a text, in order: tokens, hashes, base64, but also paths and addresses. */
export function longWordsIn(text: string): Word[] {
  const words: Word[] = [];
  let start = 0;
  for (let at = 0; at <= text.length; at += 1) {
    if (OF_TOKENS[text.charCodeAt(at)] === 1) continue;
    if (at - start >= SHORTEST) words.push({ text: text.slice(start, at), start });
    start = at + 1;
  }
  return words;
}
