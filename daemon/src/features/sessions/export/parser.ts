import { createRequire } from 'node:module';
import type MarkdownIt from 'markdown-it';

const parsers = new Map<string, MarkdownIt>();

/**
 * A parser of Markdown. `everything` also sees HTML and pictures, to tell that they are there; `shown` makes HTML of what was said: tags in
 * it are text, pictures are links, and links lead into the web alone.
 */
export function parserOfMarkdown(use: 'everything' | 'shown'): MarkdownIt {
  const known = parsers.get(use);
  if (known) return known;
  // Loaded with the first export: the start has no use for it.
  const create = createRequire(import.meta.url)('markdown-it') as typeof MarkdownIt;
  const parser = new create({ html: use === 'everything' });
  if (use === 'shown') restrict(parser);
  parsers.set(use, parser);
  return parser;
}

function restrict(parser: MarkdownIt): void {
  parser.disable('image');
  parser.validateLink = (url) => /^(?:https?:\/\/|mailto:)/i.test(url.trim());
  parser.core.ruler.push('of-the-page', ({ tokens }) => {
    for (const token of tokens) {
      // Columns that are set to the right come as a style of their own, which the page does not allow.
      if (token.type === 'th_open' || token.type === 'td_open') token.attrs = null;
      for (const inner of token.children ?? [])
        if (inner.type === 'link_open') inner.attrSet('rel', 'noreferrer noopener');
    }
  });
}
