/** Keys that are looked up for one message. */
const MOST = 12;

/** What is not looked through, code and addresses and links that are there, and what may be a key. */
const TOKEN =
  /`{3}[\s\S]*?(?:`{3}|$)|\[\[[^[\]\n]*\]\]|!?\[[^[\]\n]*\]\([^()\s]*\)|\bhttps?:\/\/\S+|`([^`\n]+)`|[\p{L}\p{N}][\p{L}\p{N}._:/-]*[\p{L}\p{N}]/gu;

/** Whether a word looks like a key: several parts, and no number, date or time. */
function isLikeKey(word: string): boolean {
  return /[/:_-]|\p{L}\.\p{L}/u.test(word) && /\p{L}/u.test(word);
}

/** The words of a message that may be keys of memories: what stands in backticks, and what has parts as keys have. */
export function mentionsIn(text: string): string[] {
  const found = new Set<string>();
  for (const [token, quoted] of text.matchAll(TOKEN)) {
    if (/^(?:`{3}|!?\[|https?:)/.test(token)) continue;
    if (quoted !== undefined ? quoted.length <= 256 : isLikeKey(token)) found.add(quoted ?? token);
    if (found.size === MOST) break;
  }
  return [...found];
}

/** The text with each mention of a key in `known` turned into a link to that memory. */
export function withLinks(text: string, known: ReadonlySet<string>): string {
  return text.replaceAll(TOKEN, (token: string, quoted: string | undefined) => {
    const key = quoted ?? token;
    // In brackets these would end the link.
    return known.has(key) && !/[[\]|\n]/.test(key) ? `[[${key}]]` : token;
  });
}
