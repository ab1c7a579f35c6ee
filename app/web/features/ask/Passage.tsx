import { useNavigate } from '@tanstack/react-router';
import { Suspense, useMemo } from 'react';
import { latePart } from '../../platform/late-part.ts';
import { stringifySearch } from '../../platform/place.ts';
import { Marked } from '../../ui/text/Marked.tsx';
import type { MarkedText } from '../../ui/text/marked.ts';
import type { NoteLinks } from '../../ui/reading/note-target.ts';

const Reading = latePart(() => import('../../ui/reading/Reading.tsx'));

/** Words of a memory, read as the memory is; links to others lead from the namespace that it is of. */
export function Passage({ text, marks, namespace }: MarkedText & { namespace: string }) {
  const navigate = useNavigate();
  const links = useMemo<NoteLinks>(
    () => ({
      namespaces: [],
      hrefOf: (target) => `/memories${stringifySearch({ namespace, ...target })}`,
      onOpen: (target) => void navigate({ to: '/memories', search: { namespace, ...target } }),
    }),
    [namespace, navigate],
  );
  return (
    <Suspense
      fallback={
        <div dir="auto">
          <Marked text={text} marks={marks} />
        </div>
      }
    >
      <Reading value={text} marks={marks} under={2} links={links} isQuote />
    </Suspense>
  );
}
