import type { SessionEntry } from '@reverie/shared/contract/sessions/sessions';
import { Suspense } from 'react';
import { latePart } from '../../../../platform/late-part.ts';
import { formatBytes } from '../../../../platform/format.ts';
import { Button } from '../../../../ui/Button.tsx';
import { PlainText } from '../../../../ui/reading/PlainText.tsx';
import { useActs } from '../acts.ts';
import css from './Entry.module.css';
import { isCut } from './is-cut.ts';

const Reading = latePart(() => import('../../../../ui/reading/Reading.tsx'));

/** The text of an entry as it reads best; nothing in it can run, or fetch anything. */
export function MarkdownText({ entry }: { entry: SessionEntry }) {
  const { marks } = useActs();
  const plain = <PlainText text={entry.text} />;
  return (
    // A session is read in the letters of a note; what is not laid out yet stands there as it is written.
    <div className={css['reading']} data-print>
      <Suspense fallback={plain}>
        <Reading value={entry.text} under={2} isQuote marks={[...marks(entry.id)]} />
      </Suspense>
      <RestOf entry={entry} />
    </div>
  );
}

/** Where only the beginning of a text came: how much there is, and the rest of it. */
export function RestOf({ entry }: { entry: SessionEntry }) {
  const { whole } = useActs();
  if (!isCut(entry)) return null;
  return (
    <p className={css['rest']}>
      The beginning of {formatBytes(entry.bytes)}. <Button onClick={() => whole(entry.id)}>Show all</Button>
    </p>
  );
}
