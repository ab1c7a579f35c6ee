import { Marked } from '../text/Marked.tsx';
import { blocksOf } from '../text/text-blocks.ts';
import type { SourceMarks } from './layout/laid-out.ts';
import css from './PlainText.module.css';

interface PlainTextProps {
  text: string;
  marks?: SourceMarks;
  /** In letters of one width: a source, a log. */
  isMono?: boolean;
}

/**
 * Text as it is written, with its line breaks. A long one is laid out block by block as they come into view, so that
 * a mebibyte does not hold up the page.
 */
export function PlainText({ text, marks = [], isMono = false }: PlainTextProps) {
  const blocks = blocksOf(text);
  return (
    <div className={css['plain']} data-mono={isMono}>
      {blocks.map((block, at) => (
        <div key={at} className={css['block']} dir="auto">
          {blocks.length === 1 && marks.length > 0 ? <Marked text={block} marks={marks} /> : block}
        </div>
      ))}
    </div>
  );
}
