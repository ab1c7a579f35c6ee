import type { Token } from 'markdown-it';
import { frontMatterLength, leadOf, markdown, withoutMarks } from './passages.ts';

/** A part of a section that can stand by itself: a paragraph, a list or an item of it, a table or a row of it, code. */
export interface Block {
  /** In UTF-16 units; a block ends where the next one begins, or its section. */
  readonly start: number;
  /** It goes on with the block before it: a further item of a list, a further row of a table. */
  readonly isPart: boolean;
  /** What has to be known where it stands alone: a table's head, the line before a list, the sentence before code. */
  readonly lead: () => string | undefined;
}

/** A heading with what stands below it, up to the next heading; the first may have none. */
export interface Section {
  readonly start: number;
  readonly end: number;
  /** The headings that it stands below, the outermost first and its own last, without marks. */
  readonly path: readonly string[];
  /** In their order; the first begins with the section. */
  readonly blocks: readonly Block[];
  /** It has something beside its heading, or beside front matter. */
  readonly hasContent: boolean;
}

/** Of what leads to something only the end is read. */
const READ_OF_LEAD = 400;
const LONGEST_HEAD = 200;

/** What begins a block of its own, where it stands in no other. */
const BLOCKS: ReadonlySet<string> = new Set([
  'paragraph_open',
  'fence',
  'code_block',
  'html_block',
  'hr',
  'blockquote_open',
  'bullet_list_open',
  'ordered_list_open',
  'table_open',
]);
/** What may begin a part of one: an item, a row, a paragraph of an item. */
const PARTS: ReadonlySet<string> = new Set([
  'list_item_open',
  'tr_open',
  'paragraph_open',
  'fence',
  'code_block',
]);

/** The sections of a Markdown text in their order; together they are the text, front matter and blank lines included. */
export function sectionsOf(text: string): Section[] {
  const front = frontMatterLength(text);
  const body = text.slice(front);
  const tokens = markdown().parse(body, {});
  // As the parser counts them.
  const lines = [0, ...[...body.matchAll(/\r\n?|\n/gu)].map(({ index, 0: end }) => index + end.length)];
  const context = contextOfBlocks();
  const path: { level: number; text: string }[] = [];
  const sections: (Omit<Section, 'end' | 'blocks'> & { blocks: Block[]; hasContent: boolean })[] = [];
  const open = (start: number) => {
    const blocks = [{ start, isPart: false, lead: () => undefined }];
    sections.push({ start, path: path.map((one) => one.text), blocks, hasContent: false });
  };
  open(0);
  for (const [at, token] of tokens.entries()) {
    const content = tokens[at + 1]?.content ?? '';
    const start = front + (lines[token.map?.[0] ?? 0] ?? body.length);
    if (token.type === 'heading_open') {
      const level = Number(token.tag.slice(1));
      while ((path.at(-1)?.level ?? 0) >= level) path.pop();
      path.push({ level, text: withoutMarks(content) });
      open(start);
    }
    const isBlock = token.level === 0 && BLOCKS.has(token.type);
    const section = sections.at(-1);
    if (section && (isBlock || PARTS.has(token.type))) {
      section.hasContent = true;
      const lead = context.lead(token);
      if (start > (section.blocks.at(-1)?.start ?? 0)) section.blocks.push({ start, isPart: !isBlock, lead });
    }
    context.read(token, content);
  }
  return sections.map((section, at) => ({ ...section, end: sections[at + 1]?.start ?? text.length }));
}

/** Follows what leads to what while the tokens of a text are read one after the other. */
function contextOfBlocks() {
  /** For each list that is open what leads to it; `said` also stands for what the current item says. */
  const lists: (string | undefined)[] = [];
  let said: string | undefined;
  /** Of the table that is open: the line that leads to it, and its cells. */
  let table: { lead: string | undefined; cells: string[]; isHead: boolean } | undefined;
  const leading = () => (said?.trimEnd().endsWith(':') === true ? said : undefined);
  const sentence = (text: string | undefined) =>
    text === undefined ? undefined : leadOf(text.slice(-READ_OF_LEAD));

  return {
    /** What leads to the block that this token begins. */
    lead({ type }: Token): Block['lead'] {
      if (table && type === 'tr_open') {
        const { lead, cells } = table;
        return () =>
          [sentence(lead), cells.join(' · ').slice(0, LONGEST_HEAD).toWellFormed()]
            .filter(Boolean)
            .join('\n');
      }
      const text =
        type === 'fence' || type === 'code_block'
          ? said
          : (lists.at(-1) ?? (type === 'paragraph_open' ? undefined : leading()));
      return () => sentence(text);
    },
    read({ type, content }: Token, next: string): void {
      switch (type) {
        case 'paragraph_open':
          said = next;
          break;
        case 'bullet_list_open':
        case 'ordered_list_open':
          lists.push(lists.length > 0 ? said : leading());
          break;
        case 'bullet_list_close':
        case 'ordered_list_close':
          lists.pop();
          said = undefined;
          break;
        case 'table_open':
          table = { lead: leading(), cells: [], isHead: true };
          break;
        case 'thead_close':
          if (table) table.isHead = false;
          break;
        case 'inline':
          if (table?.isHead === true && content !== '') table.cells.push(withoutMarks(content));
          break;
        case 'table_close':
          table = undefined;
          said = undefined;
          break;
        case 'heading_open':
        case 'fence':
        case 'code_block':
          said = undefined;
          break;
        default:
      }
    },
  };
}
