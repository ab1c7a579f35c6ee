import { createRequire } from 'node:module';
import type MarkdownIt from 'markdown-it';

const parsers = new Map<string, MarkdownIt>();

/** Whether an address leads into the web, or to a mail: as browsers read it, which pass over white space in it. */
export function leadsIntoWeb(url: string): boolean {
  return /^(?:https?:\/\/|mailto:)/i.test(withoutSpace(url));
}

/** Whether an address names a scheme that does not lead into the web: a script, a file of this machine, another program. */
export function leadsElsewhere(url: string): boolean {
  return /^[a-z][a-z\d+.-]*:/i.test(withoutSpace(url)) && !leadsIntoWeb(url);
}

const withoutSpace = (url: string) => url.replaceAll(/[\u0000-\u0020\u007f]/g, '');

/**
 * A parser of Markdown. `everything` also sees HTML, pictures and links to anywhere, to tell that they are there; `shown` makes HTML of what was said: tags in
 * it are text, pictures are links, and links lead into the web alone.
 */
export function parserOfMarkdown(use: 'everything' | 'shown'): MarkdownIt {
  const known = parsers.get(use);
  if (known) return known;
  // Loaded with the first export: the start has no use for it.
  const create = createRequire(import.meta.url)('markdown-it') as typeof MarkdownIt;
  const parser = new create({ html: use === 'everything' });
  if (use === 'shown') restrict(parser);
  else Object.assign(parser, { validateLink: () => true, normalizeLink: (url: string) => url });
  parsers.set(use, parser);
  return parser;
}

function restrict(parser: MarkdownIt): void {
  parser.disable('image');
  parser.validateLink = leadsIntoWeb;
  parser.core.ruler.push('of-the-page', ({ tokens }) => {
    for (const token of tokens) {
      // Columns that are set to the right come as a style of their own, which the page does not allow.
      if (token.type === 'th_open' || token.type === 'td_open') token.attrs = null;
      for (const inner of token.children ?? [])
        if (inner.type === 'link_open') inner.attrSet('rel', 'noreferrer noopener');
    }
  });
}
