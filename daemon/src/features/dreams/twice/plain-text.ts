/** A text as equal ones are compared: without Markdown, in compatibility forms and small letters, with what joins digits and no other punctuation. */
export function plainText(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/!?\[([^\]]*)\]\([^)\s]*\)/gu, '$1')
    .replaceAll(/^\s*(?:#{1,6}|[-*+>]|\d+[.)]|```\w*)\s+(?:\[[ x]\] )?/gmu, '')
    .replaceAll(/(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu, ' ')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}.,:/%+€$£#@_-]+/gu, ' ')
    .replaceAll(/[.,:/-]+(?=\s|$)|(?<=^|\s)[.,:/-]+/gu, '')
    .replaceAll(/\s+/gu, ' ')
    .trim();
}
