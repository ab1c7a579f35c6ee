import Markdown, { type ExtraProps, type Options } from 'react-markdown';
import rehypeSanitize, { type Options as Schema } from 'rehype-sanitize';
import remarkGfm from 'remark-gfm';
import remarkMath from 'remark-math';
import { bodyAt } from '../front-matter.ts';
import { linkTo, pathIn, pictureAt } from './addresses.ts';
import { bounded } from './bounded.ts';
import { calloutOf } from './callouts.ts';
import { uncommented } from './comments.ts';
import { hasFormulas, onLines } from './formulas.ts';
import { highlighted } from './highlights.ts';
import { headingsOf, type Laid, type LaidPart, type SourceMarks, type PlainTag } from './laid-out.ts';
import { levelsOf } from './levels.ts';
import { outdented } from './outlines.ts';
import { piecesOfText, type TextPlace } from './text-pieces.ts';

type Element = NonNullable<ExtraProps['node']>;
type Content = Element['children'][number];

/** What Markdown can make, and nothing that only HTML can. */
const SCHEMA: Schema = {
  tagNames: [
    ...[
      'a',
      'blockquote',
      'br',
      'code',
      'del',
      'em',
      'h1',
      'h2',
      'h3',
      'h4',
      'h5',
      'h6',
      'hr',
      'img',
      'input',
    ],
    ...[
      'li',
      'mark',
      'ol',
      'p',
      'pre',
      'section',
      'strong',
      'sup',
      'table',
      'tbody',
      'td',
      'th',
      'thead',
      'tr',
      'ul',
    ],
  ],
  attributes: {
    a: ['href', 'id', 'dataFootnoteRef', 'dataFootnoteBackref'],
    code: [['className', /^language-./]],
    img: ['src', 'alt'],
    input: ['checked', ['type', 'checkbox']],
    li: ['id', ['className', 'task-list-item']],
    ol: ['start'],
    p: [['className', 'lines']],
    section: ['dataFootnotes'],
    td: ['align'],
    th: ['align'],
  },
  protocols: { href: ['http', 'https', 'mailto'], src: ['http', 'https', 'data'] },
  // Ids are made here alone, and every one gets the prefix of its note where it is drawn.
  clobber: [],
  strip: [],
};

const PLAIN: ReadonlySet<string> = new Set<PlainTag>([
  ...([
    'p',
    'em',
    'strong',
    'del',
    'mark',
    'code',
    'blockquote',
    'ul',
    'ol',
    'li',
    'hr',
    'br',
    'sup',
  ] as const),
  ...(['thead', 'tbody', 'tr', 'td', 'th'] as const),
]);
/** What lies deeper is shown without what is around it: nobody reads the fortieth quotation in a quotation. */
const DEEPEST = 40;

/** Where in a note something stands. */
interface Around {
  depth: number;
  inLink: boolean;
  inCode: boolean;
}

/** A Markdown source, laid out; throws where it is nested too deeply to be read. `marks` are offsets in the source. */
export function layOut(source: string, marks: SourceMarks = []): Laid[] {
  const from = bodyAt(source);
  const written = outdented(source.slice(from));
  const body = onLines(written);
  // Where formulas were put on lines of their own, places in the source are others.
  const isMoved = body.length !== written.length;
  const place: TextPlace = {
    body,
    marks: isMoved ? [] : marks.map(([start, end]) => [start - from, end - from]),
  };
  const levels = levelsOf();
  let headings = 0;

  const blocks = all(treeOf(body), { depth: 0, inLink: false, inCode: false });
  return settled(blocks);

  function all(nodes: readonly Content[], around: Around): Laid[] {
    return nodes.flatMap((node, at) => {
      const before = nodes[at - 1];
      // A break comes with a line end behind it, which would be a second break where lines are kept.
      const isAfterBreak = before?.type === 'element' && before.tagName === 'br';
      return isAfterBreak && node.type === 'text' && node.value === '\n' ? [] : one(node, around);
    });
  }

  function one(node: Content, around: Around): Laid[] {
    if (node.type === 'text') return piecesOfText(node, place, around);
    if (node.type !== 'element') return [];
    const inner = { ...around, depth: around.depth + 1 };
    if (around.depth >= DEEPEST) return all(node.children, inner);
    return part(node, inner);
  }

  function part(node: Element, around: Around): Laid[] {
    const { tagName, properties, children } = node;
    if (/^h[1-6]$/.test(tagName)) {
      // The heading that footnotes come with is said by their part of the note.
      if (node.position === undefined) return [];
      const level = levels(Number(tagName.slice(1)));
      return [{ kind: 'heading', level, id: `h${(headings += 1)}`, children: all(children, around) }];
    }
    switch (tagName) {
      case 'a':
        return link(node, around);
      case 'img':
        return [picture(textIn(properties['src']), textIn(properties['alt']), around)];
      case 'pre':
        return [codeBlock(node)];
      case 'table':
        return [{ kind: 'table', children: blocksOf(node, around) }];
      case 'blockquote': {
        const children = blocksOf(node, around);
        return [calloutOf(children) ?? { kind: 'element', tag: 'blockquote', children }];
      }
      case 'code': {
        const language = languageOf(node);
        const isFormula = language === 'math' || language === 'math-display';
        return isFormula
          ? [{ kind: 'formula', text: rawText(node), isBlock: language === 'math-display' }]
          : [element('code', node, around)];
      }
      case 'section':
        return [{ kind: 'footnotes', children: blocksOf(node, around) }];
      default:
        return isPlain(tagName) ? [element(tagName, node, around)] : [];
    }
  }

  function element(tag: PlainTag, node: Element, around: Around): LaidPart {
    const { id, align, start, className } = node.properties;
    const box = tag === 'li' ? boxOf(node) : undefined;
    const holdsBlocks = ['blockquote', 'ul', 'ol', 'li', 'thead', 'tbody', 'tr'].includes(tag);
    return {
      kind: 'element',
      tag,
      children: holdsBlocks
        ? blocksOf(node, around)
        : all(node.children, { ...around, inCode: around.inCode || tag === 'code' }),
      ...(typeof id === 'string' && { id }),
      ...(typeof start === 'number' && { start }),
      ...((align === 'left' || align === 'center' || align === 'right') && { align }),
      ...(box && { isDone: box.properties['checked'] === true }),
      ...(tag === 'p' && Array.isArray(className) && { keepsLines: true as const }),
    };
  }

  function blocksOf({ children }: Element, around: Around): Laid[] {
    return all(children, around).filter((child) => typeof child !== 'string' || child.trim() !== '');
  }

  function link({ properties, children }: Element, around: Around): Laid[] {
    const href = textIn(properties['href']);
    const inner = all(children, { ...around, inLink: true });
    if (around.inLink) return inner;
    if (href.startsWith('#'))
      return [
        {
          kind: 'jump',
          to: href.slice(1),
          children: inner,
          ...(typeof properties['id'] === 'string' && { id: properties['id'] }),
        },
      ];
    const to = linkTo(href);
    if (to !== undefined) return [{ kind: 'link', href: to, children: inner }];
    const target = pathIn(href);
    return target === undefined ? inner : [{ kind: 'memory', target, isPath: true, children: inner }];
  }
}

/** The sanitized tree of a source. It is taken out of `react-markdown` at its end, which then has nothing left to draw. */
function treeOf(body: string): Content[] {
  let found: Content[] = [];
  const take = () => (tree: Element) => {
    found = tree.children;
    return { ...tree, children: [] };
  };
  const options: Options = {
    children: body,
    remarkPlugins: [
      remarkGfm,
      [remarkMath, { singleDollarTextMath: hasFormulas(body) }],
      uncommented(body),
      bounded(body),
      highlighted(body),
    ],
    remarkRehypeOptions: { clobberPrefix: '' },
    rehypePlugins: [[rehypeSanitize, SCHEMA], take],
  };
  Markdown(options);
  return found;
}

function textIn(property: unknown): string {
  return typeof property === 'string' ? property : '';
}

function isPlain(tag: string): tag is PlainTag {
  return PLAIN.has(tag);
}

function picture(src: string, alt: string, { inLink }: Around): LaidPart {
  const shown = pictureAt(src);
  const path = pathIn(src);
  const beside = path !== undefined && { path };
  if (shown !== undefined) return { kind: 'image', src: shown, alt, ...beside };
  const href = inLink ? undefined : linkTo(src);
  return { kind: 'unloaded', alt, ...(href !== undefined && { href }), ...beside };
}

function codeBlock(pre: Element): LaidPart {
  const code = pre.children.find((child) => child.type === 'element');
  const language = code ? languageOf(code) : '';
  const text = rawText(code ?? pre).replace(/\n$/, '');
  if (language === 'math') return { kind: 'formula', text, isBlock: true };
  return { kind: 'code', language, text };
}

/** The language of a piece of code, in small letters; empty where it names none. */
function languageOf({ properties: { className } }: Element): string {
  const name = Array.isArray(className) ? textIn(className[0]).replace(/^language-/, '') : '';
  return name.toLowerCase();
}

function rawText(node: Content): string {
  if (node.type === 'text') return node.value;
  return node.type === 'element' ? node.children.map(rawText).join('') : '';
}

/** The box of an entry of a task list, which stands in its first paragraph where the list is wide. */
function boxOf({ properties, children }: Element): Element | undefined {
  if (!Array.isArray(properties['className'])) return undefined;
  const inside = children.flatMap((child) =>
    child.type === 'element' && child.tagName === 'p' ? [child, ...child.children] : [child],
  );
  return inside.filter((child) => child.type === 'element').find(({ tagName }) => tagName === 'input');
}

/** The blocks with each jump led to what there is; one that leads nowhere is only its text. */
function settled(blocks: Laid[]): Laid[] {
  const ids = new Map<string, string>();
  for (const { id, text } of headingsOf(blocks)) {
    const slug = slugOf(text);
    if (!ids.has(slug)) ids.set(slug, id);
  }
  collectIds(blocks);
  const settle = (laid: Laid): Laid[] => {
    if (typeof laid === 'string') return [laid];
    if (laid.kind === 'memory' && laid.target.startsWith('#'))
      return settle({ kind: 'jump', to: slugOf(laid.target.slice(1)), children: laid.children });
    if (laid.kind === 'jump') {
      const to = ids.get(laid.to);
      return to === undefined
        ? laid.children.flatMap(settle)
        : [{ ...laid, to, children: laid.children.flatMap(settle) }];
    }
    return 'children' in laid ? [{ ...laid, children: laid.children.flatMap(settle) }] : [laid];
  };
  return blocks.filter((block) => typeof block !== 'string' || block.trim() !== '').flatMap(settle);

  function collectIds(all: readonly Laid[]): void {
    for (const laid of all) {
      if (typeof laid === 'string') continue;
      if ('id' in laid && laid.kind !== 'heading') ids.set(laid.id, laid.id);
      if ('children' in laid) collectIds(laid.children);
    }
  }
}

/** A heading as links name it, encoded as they are: `Steps to take` is `#steps-to-take`. */
function slugOf(text: string): string {
  const kept = text.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, '');
  return encodeURIComponent(kept.trim().replace(/\s/gu, '-'));
}
