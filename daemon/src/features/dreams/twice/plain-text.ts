/**
 * A text in the form in which equal ones are found: NFKC, in small letters, without Markdown, and with no punctuation but what stands
 * within words and figures.
 */
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
