import type { Memory } from '@reverie/shared/contract/memories';
import { lazy, Suspense, useMemo } from 'react';
import { stringifySearch, useGo } from '../../../platform/place.ts';
import { Skeleton } from '../../../ui/Message.tsx';
import type { SourceMarks } from '../../../ui/reading/layout/laid-out.ts';
import type { NoteLinks } from '../../../ui/reading/note-target.ts';
import { textAt } from './without-title.ts';

const Properties = lazy(async () => ({
  default: (await import('../../../ui/reading/Properties.tsx')).Properties,
}));
const Reading = lazy(() => import('../../../ui/reading/Reading.tsx'));

const NO_MARKS: SourceMarks = [];

interface ValueTextProps {
  /** Its text is shown without the heading that says its title, which stands above; with an empty title all of it. */
  memory: Pick<Memory, 'namespace' | 'value' | 'title'>;
  /** The namespaces that its links may name. */
  known: readonly string[];
  isSource?: boolean;
  /** Offsets in the value. */
  marks?: SourceMarks;
}

/** What a memory says, as it is best read. */
export function ValueText({ memory, known, isSource = false, marks = NO_MARKS }: ValueTextProps) {
  const { namespace, value, title } = memory;
  const go = useGo();
  const links = useMemo<NoteLinks>(
    () => ({
      namespaces: known,
      hrefOf: (target) => `/memories${stringifySearch({ namespace, ...target })}`,
      onOpen: (target) => go({ namespace, in: undefined, ...target, mode: undefined }),
    }),
    [known, namespace, go],
  );
  const from = isSource ? 0 : textAt({ value, title });
  const below = useMemo(
    () => marks.flatMap(([start, end]) => (start < from ? [] : [[start - from, end - from] as const])),
    [marks, from],
  );
  return (
    <div data-testid="value">
      <Suspense fallback={<Skeleton lines={6} />}>
        {!isSource && <Properties source={value} links={links} />}
        <Reading
          value={value.slice(from)}
          marks={below}
          under={2}
          links={links}
          isSource={isSource}
          hasOutline
        />
      </Suspense>
    </div>
  );
}
