import path from 'node:path';
import MarkdownIt, { type Token } from 'markdown-it';

/** A page of the documentation, as HTML. */
export interface Rendered {
  title: string;
  /** The first paragraph, as plain text. */
  summary: string;
  body: string;
}

/** A page as the index names it. */
export interface Listed {
  href: string;
  title: string;
}

const parser = new MarkdownIt({ html: false });

/** Makes HTML of a page that is served at `at`; links that lead to files of the repository lead to the pages that are made of them. */
export function renderPage(text: string, at: string): Rendered {
  const tokens = parser.parse(text, {});
  const seen = new Map<string, number>();
  for (const [index, token] of tokens.entries()) {
    // Columns that are set to the right come as a style of their own, which the policy of the page does not allow.
    if (token.type === 'th_open' || token.type === 'td_open') token.attrs = null;
    if (token.type === 'heading_open') token.attrSet('id', anchorOf(said(tokens[index + 1]), seen));
    for (const inner of token.children ?? []) {
      const href = inner.attrGet('href');
      if (href !== null) inner.attrSet('href', addressOf(href, at));
      if (href !== null && /^https?:/.test(href)) inner.attrSet('rel', 'noreferrer noopener');
      const src = inner.attrGet('src');
      if (src !== null) inner.attrSet('src', addressOf(src, at));
    }
  }
  const titleAt = tokens.findIndex(({ type, tag }) => type === 'heading_open' && tag === 'h1');
  const summaryAt = tokens.findIndex(({ type }, index) => type === 'paragraph_open' && index > titleAt);
  return {
    title: said(tokens[titleAt + 1]),
    summary: said(tokens[summaryAt + 1]),
    body: reachable(parser.renderer.render(tokens, parser.options, {})),
  };
}

/** The pages that an index links to in its lists, in its order. */
export function listedPages(text: string, at: string): Listed[] {
  const pages: Listed[] = [];
  let depth = 0;
  for (const { type, children } of parser.parse(text, {})) {
    if (type === 'bullet_list_open') depth += 1;
    if (type === 'bullet_list_close') depth -= 1;
    const opens = depth === 0 ? -1 : (children?.findIndex((token) => token.type === 'link_open') ?? -1);
    const href = children?.[opens]?.attrGet('href');
    if (href) pages.push({ href: addressOf(href, at), title: children?.[opens + 1]?.content ?? '' });
  }
  return pages;
}

/** Text as it may stand in HTML, also in an attribute. */
export function escaped(text: string): string {
  return parser.utils.escapeHtml(text);
}

/** `dreams.md#undo` of the page `/docs/guide/start` is `/docs/guide/dreams#undo`; an index is its folder. */
function addressOf(link: string, at: string): string {
  if (/^(?:[a-z][a-z\d+.-]*:|[/#])/i.test(link)) return link;
  const [file = '', fragment] = link.split('#', 2);
  const folder = at.endsWith('/') ? at : `${path.posix.dirname(at)}/`;
  const address = path.posix
    .join(folder, file)
    .replace(/(?:\/README)?\.md$/, '')
    .replace(/\/$/, '');
  return fragment === undefined ? address : `${address}#${fragment}`;
}

/** The name of a heading in an address, as GitHub makes it. */
function anchorOf(heading: string, seen: Map<string, number>): string {
  const name = heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M} _-]/gu, '')
    .replaceAll(' ', '-');
  const before = seen.get(name) ?? 0;
  seen.set(name, before + 1);
  return before === 0 ? name : `${name}-${before}`;
}

/** What is written in a piece, without marks. */
function said(token: Token | undefined): string {
  return (token?.children ?? []).map(({ type, content }) => (type === 'softbreak' ? ' ' : content)).join('');
}

/** What is wider than a narrow window scrolls by itself, and by the keyboard. */
function reachable(html: string): string {
  let tables = 0;
  return (
    html
      .replaceAll('<table>', () => {
        tables += 1;
        return `<div class="table" role="region" aria-label="Table ${tables}" tabindex="0"><table>`;
      })
      .replaceAll('</table>', '</table></div>')
      // A head that says nothing is none.
      .replaceAll('<th></th>', '<td></td>')
      .replaceAll('<pre>', '<pre tabindex="0">')
  );
}
