import type { Memory } from '@reverie/shared/contract/memories';
import { lazy, Suspense, useMemo } from 'react';
import { stringifySearch, useGo } from '../../platform/place.ts';
import { Skeleton } from '../../ui/Message.tsx';
import type { Marks } from '../../ui/reading/layout/laid-out.ts';
import type { NoteLinks } from '../../ui/reading/note-target.ts';

const Reading = lazy(() => import('../../ui/reading/Reading.tsx'));

interface ValueTextProps {
  memory: Pick<Memory, 'namespace' | 'value'>;
  /** The namespaces that its links may name. */
  known: readonly string[];
  isSource: boolean;
  /** Offsets in the value. */
  marks: Marks;
}

/** What a memory says, as it is best read. */
export function ValueText({ memory: { namespace, value }, known, isSource, marks }: ValueTextProps) {
  const go = useGo();
  const links = useMemo<NoteLinks>(
    () => ({
      namespaces: known,
      hrefOf: (target) => `/memories${stringifySearch({ namespace, ...target })}`,
      onOpen: (target) => go({ namespace, ...target, mode: undefined }),
    }),
    [known, namespace, go],
  );
  return (
    <div data-testid="value">
      <Suspense fallback={<Skeleton lines={6} />}>
        <Reading value={value} marks={marks} under={2} links={links} isSource={isSource} hasOutline />
      </Suspense>
    </div>
  );
}
