import { memo, startTransition, useEffect, useId, useMemo, useState } from 'react';
import { wallClock } from '../../platform/clock.ts';
import { Blocks, type NoteDrawing } from './Blocks.tsx';
import css from './Blocks.module.css';
import { headingsOf, type Heading, type Laid, type SourceMarks } from './layout/laid-out.ts';
import type { LayoutReply } from './layout/layout.worker.ts';
import { useLaidOut } from './layout/use-laid-out.ts';
import { bodyAt } from './front-matter.ts';
import type { NoteLinks } from './note-target.ts';
import { Outline } from './Outline.tsx';
import { plainPassage } from './plain-passage.ts';
import { PlainText } from './PlainText.tsx';
import { segmentsOf } from './segments.ts';

/** Characters that are read at once; definitions and footnotes of longer notes hold within a segment of this size. */
const SEGMENT = 100_000;
/** Parts of a note that are drawn at once, so that no drawing takes longer than a frame or two. */
const AT_ONCE = 250;
/** Characters that are shown in plain words until they are laid out: as many as a window has room for. */
const MEANWHILE = 4_000;

interface MarkdownProps {
  source: string;
  /** Offsets in the source. */
  marks?: SourceMarks;
  /** The level of the heading above the note, 1 for the page's own. */
  under: number;
  links?: NoteLinks | undefined;
  hasOutline?: boolean;
}

const NO_MARKS: SourceMarks = [];

/** A Markdown source, read: laid out by a worker, and drawn piece by piece. Nothing in it can run, or fetch anything. */
export function Markdown(props: MarkdownProps) {
  const { source, marks = NO_MARKS, under, links, hasOutline = false } = props;
  const segments = useMemo(() => segmentsOf(source, SEGMENT), [source]);
  const replies = useLaidOut(segments, marks);
  const prefix = `note${useId().replace(/\W/g, '')}-`;
  const pieces = useMemo(() => replies.flatMap(piecesOf), [replies]);
  const shown = useGrowing(pieces.length);
  const headings = useMemo(
    () => (hasOutline ? outlineOf(replies, prefix) : []),
    [hasOutline, replies, prefix],
  );
  if (replies.length === 0)
    return (
      <div aria-busy className={css['note']}>
        <PlainText {...beginningOf(source, marks)} />
      </div>
    );
  const isDrawn = shown >= pieces.length && replies.length >= segments.length;
  return (
    <>
      {/* Only headings that are drawn can be jumped to. */}
      {isDrawn && <Outline headings={headings} />}
      <div className={css['note']} data-many={pieces.length > 1} aria-busy={!isDrawn}>
        {pieces.slice(0, shown).map((piece, at) => (
          <div key={at} className={css['piece']}>
            {'failed' in piece ? (
              <Unread why={piece.failed} text={segments[piece.segment] ?? ''} />
            ) : (
              <Piece {...piece} under={under} links={links} prefix={prefix} />
            )}
          </div>
        ))}
      </div>
    </>
  );
}

/** How a source begins, in plain words: no sheet is blank while it is laid out. */
function beginningOf(source: string, marks: SourceMarks): { text: string; marks: SourceMarks } {
  const from = bodyAt(source);
  const end = from + MEANWHILE;
  return plainPassage({
    text: source.slice(from, end),
    marks: marks.flatMap(([a, b]) => (a >= from && b <= end ? [[a - from, b - from] as const] : [])),
  });
}

type Drawable = { segment: number } & ({ blocks: Laid[] } | { failed: string });

const Piece = memo(function Piece({
  blocks,
  segment,
  under,
  links,
  prefix,
}: NoteDrawing & { blocks: Laid[]; segment: number }) {
  const of = useMemo(
    () => ({ prefix: `${prefix}${segment}-`, under, links }),
    [prefix, segment, under, links],
  );
  return <Blocks blocks={blocks} of={of} />;
});

function Unread({ why, text }: { why: string; text: string }) {
  return (
    <>
      <p className={css['unread']}>This could not be shown neatly ({why}), so here it is as typed.</p>
      <PlainText text={text} isMono />
    </>
  );
}

function outlineOf(replies: readonly LayoutReply[], prefix: string): Heading[] {
  return replies.flatMap((reply, segment) =>
    'blocks' in reply
      ? headingsOf(reply.blocks).map((heading) => ({ ...heading, id: `${prefix}${segment}-${heading.id}` }))
      : [],
  );
}

/** The pieces of what was laid out, kept as long as that is: what is drawn already is not drawn again for the next one. */
const cut = new WeakMap<LayoutReply, Drawable[]>();

function piecesOf(reply: LayoutReply, segment: number): Drawable[] {
  const pieces = cut.get(reply) ?? cutUp(reply, segment);
  cut.set(reply, pieces);
  return pieces;
}

/** What was laid out, in pieces of some hundred parts each. */
function cutUp(reply: LayoutReply, segment: number): Drawable[] {
  if ('failed' in reply) return [{ segment, failed: reply.failed }];
  const pieces: { segment: number; blocks: Laid[] }[] = [];
  let room = 0;
  for (const block of reply.blocks) {
    const last = pieces.at(-1);
    if (last && room > 0) last.blocks.push(block);
    else {
      pieces.push({ segment, blocks: [block] });
      room = AT_ONCE;
    }
    room -= sizeOf(block);
  }
  return pieces;
}

function sizeOf(laid: Laid): number {
  if (typeof laid === 'string' || !('children' in laid)) return 1;
  return laid.children.reduce((sum, child) => sum + sizeOf(child), 1);
}

/** How many of the pieces are drawn: one more whenever the page had time for the last. */
function useGrowing(count: number): number {
  const [shown, setShown] = useState(1);
  useEffect(
    () =>
      shown < count ? wallClock.after(0, () => startTransition(() => setShown((now) => now + 1))) : undefined,
    [shown, count],
  );
  return shown;
}
