import { memo, useMemo, useState } from 'react';
import { formatCount } from '../../platform/format.ts';
import { Button } from '../Button.tsx';
import { headOf, SHOWN_AT_ONCE } from '../text/text-blocks.ts';
import { Code } from './typeset/Code.tsx';
import { prettyJson } from './json-text.ts';
import { kindOf } from './kind-of.ts';
import type { SourceMarks } from './layout/laid-out.ts';
import { Markdown } from './Markdown.tsx';
import type { NoteLinks } from './note-target.ts';
import { PlainText } from './PlainText.tsx';
import css from './Reading.module.css';

export interface ReadingProps {
  value: string;
  /** Offsets in the value. */
  marks?: SourceMarks;
  /** The level of the heading above, 2 where the note stands below a title of the page. */
  under: number;
  links?: NoteLinks | undefined;
  /** As it is written, instead of as it reads. */
  isSource?: boolean;
  /** In the letters of what is around it. */
  isQuote?: boolean;
  /** With the headings of a long note beside it. */
  hasOutline?: boolean;
}

/** A value as it is best read: Markdown, JSON, code, or text with its line breaks. Long ones begin with their first part. */
const Reading = memo(function Reading({ value, isSource = false, ...rest }: ReadingProps) {
  const [whole, setWhole] = useState(false);
  const isLong = value.length > SHOWN_AT_ONCE;
  const shown = isLong && !whole ? headOf(value, SHOWN_AT_ONCE) : value;
  return (
    <div className={css['reading']} data-print={!rest.isQuote || undefined} data-quote={rest.isQuote}>
      {isSource ? <PlainText text={shown} isMono /> : <ByKind value={shown} {...rest} />}
      {isLong && !whole && (
        <p className={css['rest']}>
          The first {formatCount(shown.length)} of {formatCount(value.length)} characters.{' '}
          <Button onClick={() => setWhole(true)}>Show all</Button>
        </p>
      )}
    </div>
  );
});

export default Reading;

function ByKind({ value, marks = [], ...rest }: Omit<ReadingProps, 'isSource'>) {
  const kind = useMemo(() => kindOf(value), [value]);
  const pretty = useMemo(() => (kind === 'json' ? prettyJson(value) : value), [kind, value]);
  switch (kind) {
    case 'json':
      return <Code language="json" text={pretty} />;
    case 'code':
      return <PlainText text={value} marks={marks} isMono />;
    case 'text':
      return <PlainText text={value} marks={marks} />;
    case 'markdown':
      return <Markdown source={value} marks={marks} {...rest} />;
  }
}
