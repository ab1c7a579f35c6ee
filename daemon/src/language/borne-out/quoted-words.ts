import { foldText } from '../words/words.ts';

/** A word, a figure or a sign that counts; scripts without blanks by their characters. Quotation marks, dashes and Markdown are none. */
const TOKEN =
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]|\p{N}+(?:[.,:'’]\p{N}+)*|[\p{L}\p{M}]+(?:['’][\p{L}\p{M}]+)*|[%‰€$£¥°§&+=<>]/gu;

interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

function tokensOf(text: string): Token[] {
  return [...text.matchAll(TOKEN)].map(({ 0: token, index }) => ({
    text: foldText(token).toLowerCase().replaceAll('’', "'"),
    start: index,
    end: index + token.length,
  }));
}

/**
 * Where a text has some words, as it writes them: word for word and in one piece, case, white space, punctuation, dashes and Markdown
 * marks apart. What a quote leaves out with an ellipsis parts it in two. Undefined where the text does not have all of it.
 */
export function quotedFrom(text: string, words: string): string[] | undefined {
  const parts = words
    .split(/…|\.{3,}/u)
    .map(tokensOf)
    .filter((tokens) => tokens.length > 0);
  const said = tokensOf(text);
  const found = parts.map((part) => {
    const at = said.findIndex((_, from) =>
      part.every((token, next) => said[from + next]?.text === token.text),
    );
    const [first, last] = [said[at], said[at + part.length - 1]];
    return first && last ? text.slice(first.start, last.end) : undefined;
  });
  const whole = found.filter((part) => part !== undefined);
  return whole.length > 0 && whole.length === parts.length ? whole : undefined;
}
