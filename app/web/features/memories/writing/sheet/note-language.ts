import { commonmarkLanguage } from '@codemirror/lang-markdown';
import { Language } from '@codemirror/language';
import { GFM, type MarkdownConfig, MarkdownParser } from '@lezer/markdown';
import { Tag, tags } from '@lezer/highlight';

/** What is marked by `==`. */
export const marked = Tag.define();

/** Characters of a link to a note at most. */
const LONGEST_LINK = 1_000;
const BRACKET = 91;
const EQUALS = 61;

/** `[[note]]`, and `[[note|as it is called here]]`. */
const noteLinks: MarkdownConfig = {
  defineNodes: [
    { name: 'NoteLink', style: tags.link },
    { name: 'NoteLinkMark', style: tags.processingInstruction },
  ],
  parseInline: [
    {
      name: 'NoteLink',
      before: 'Link',
      parse(cx, next, pos) {
        if (next !== BRACKET || cx.char(pos + 1) !== BRACKET) return -1;
        const found = /^\[\[[^[\]\n]+\]\]/.exec(cx.slice(pos, Math.min(cx.end, pos + LONGEST_LINK)));
        if (!found) return -1;
        const end = pos + found[0].length;
        return cx.addElement(
          cx.elt('NoteLink', pos, end, [
            cx.elt('NoteLinkMark', pos, pos + 2),
            cx.elt('NoteLinkMark', end - 2, end),
          ]),
        );
      },
    },
  ],
};

const delimiter = { resolve: 'Marked', mark: 'MarkedMark' };

/** `==marked==`. */
const highlights: MarkdownConfig = {
  defineNodes: [
    { name: 'Marked', style: { 'Marked/...': marked } },
    { name: 'MarkedMark', style: tags.processingInstruction },
  ],
  parseInline: [
    {
      name: 'Marked',
      after: 'Emphasis',
      parse(cx, next, pos) {
        if (next !== EQUALS || cx.char(pos + 1) !== EQUALS || cx.char(pos + 2) === EQUALS) return -1;
        const isSpace = (at: number) => /\s|^$/u.test(cx.slice(at, at + 1));
        const canOpen = pos + 2 < cx.end && !isSpace(pos + 2);
        const canClose = pos > cx.offset && !isSpace(pos - 1);
        return cx.addDelimiter(delimiter, pos, pos + 2, canOpen, canClose);
      },
    },
  ],
};

const { parser } = commonmarkLanguage;
if (!(parser instanceof MarkdownParser))
  throw new Error('The parser of CommonMark is not one of @lezer/markdown');

/** Markdown as notes have it: of GitHub, with links to other notes and what is marked. What is code in it stays plain. */
export const noteLanguage = new Language(
  commonmarkLanguage.data,
  parser.configure([GFM, noteLinks, highlights]),
  [],
  'markdown',
);
