/** A note as it is shown: what a Markdown source was found to say, with nothing in it that could run or fetch. */
export type Laid = string | LaidPart;

/** Elements that are shown as they are; everything else of a note has a kind of its own. */
export type PlainTag =
  | 'p'
  | 'em'
  | 'strong'
  | 'del'
  | 'code'
  | 'blockquote'
  | 'ul'
  | 'ol'
  | 'li'
  | 'hr'
  | 'br'
  | 'sup'
  | 'mark'
  | 'thead'
  | 'tbody'
  | 'tr'
  | 'td'
  | 'th';

export type LaidPart =
  | {
      kind: 'element';
      tag: PlainTag;
      children: Laid[];
      /** What a jump leads to, unique in this note only. */
      id?: string;
      /** The first number of a list that does not begin at 1. */
      start?: number;
      align?: 'left' | 'center' | 'right';
      /** Of an entry of a task list: whether it is done. */
      isDone?: boolean;
      /** Its lines were ended on purpose, and are kept. */
      keepsLines?: true;
    }
  /** `level` counts from 1 and leaves none out, whatever the source does. */
  | { kind: 'heading'; level: number; id: string; children: Laid[] }
  | { kind: 'table'; children: Laid[] }
  | { kind: 'footnotes'; children: Laid[] }
  | { kind: 'code'; language: string; text: string }
  /** TeX; of a block where it stands by itself. */
  | { kind: 'formula'; text: string; isBlock: boolean }
  /** `> [!tip] Title`: what it is, and whether it can be folded. */
  | { kind: 'callout'; type: string; fold?: 'open' | 'closed'; title: Laid[]; children: Laid[] }
  /** Leads out of the page, by http, https or mailto. */
  | { kind: 'link'; href: string; children: Laid[] }
  /** `[[target]]`, or `[…](target)`, which may lead elsewhere: another memory. That of `![[target]]` is to be shown in its place. */
  | { kind: 'memory'; target: string; isPath?: true; isEmbed?: true; children: Laid[] }
  /** Leads to another place of the same note. */
  | { kind: 'jump'; to: string; id?: string; children: Laid[] }
  /** `path` is where it lies beside the note, if it may be an attachment of it. */
  | { kind: 'image'; src: string; path?: string; alt: string }
  /** An image that is not fetched from elsewhere, with where it can be looked at, if anywhere; `path` as above. */
  | { kind: 'unloaded'; href?: string; path?: string; alt: string };

/** A heading of the note itself, not of a quotation in it. */
export interface Heading {
  level: number;
  id: string;
  text: string;
}

/** Places in the source that are marked, in their order. */
export type SourceMarks = readonly (readonly [start: number, end: number])[];

/** The plain text of what is laid out. */
export function textOf(laid: readonly Laid[]): string {
  return laid
    .map((one) => {
      if (typeof one === 'string') return one;
      if (one.kind === 'code' || one.kind === 'formula') return one.text;
      return 'children' in one ? textOf(one.children) : one.alt;
    })
    .join('');
}

/** The headings of a note, in their order. */
export function headingsOf(blocks: readonly Laid[]): Heading[] {
  return blocks.flatMap((block) =>
    typeof block !== 'string' && block.kind === 'heading'
      ? [{ level: block.level, id: block.id, text: textOf(block.children).replace(/\s+/gu, ' ').trim() }]
      : [],
  );
}
