import { Suspense, useMemo } from 'react';
import { latePart } from '../../platform/late-part.ts';
import { stringifySearch, useGo } from '../../platform/place.ts';
import { Skeleton } from '../../ui/Message.tsx';
import type { NoteLinks } from '../../ui/reading/note-target.ts';
import { useLinked } from './use-mentions.ts';

const Reading = latePart(() => import('../../ui/reading/Reading.tsx'));

interface TextProps {
  text: string;
  namespace: string;
  /** The namespaces that its links may name. */
  namespaces: readonly string[];
}

/** What a message says, as it is best read; keys lead to their memories. */
export function MessageText({ text, namespace, namespaces }: TextProps) {
  const go = useGo();
  const linked = useLinked(text, namespace);
  const links = useMemo<NoteLinks>(
    () => ({
      namespaces,
      hrefOf: (target) => `/memories${stringifySearch({ namespace, ...target })}`,
      onOpen: (target) => go({ namespace, ...target, message: undefined }),
    }),
    [namespaces, namespace, go],
  );
  return (
    <Suspense fallback={<Skeleton lines={3} />}>
      <Reading value={linked} under={2} links={links} />
    </Suspense>
  );
}
