import type { Memory } from '@reverie/shared/contract/memories/memories';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense, useMemo } from 'react';
import { latePart } from '../../../platform/late-part.ts';
import { stringifySearch, useGo } from '../../../platform/place.ts';
import { Skeleton } from '../../../ui/Message.tsx';
import type { SourceMarks } from '../../../ui/reading/layout/laid-out.ts';
import { ownTitle } from '../../../ui/reading/own-title.ts';
import type { Attaching, NoteLinks, NoteTarget } from '../../../ui/reading/note-target.ts';
import { type MemoryAddress, nameOf } from '../address.ts';
import { memoryQuery } from '../queries.ts';
import { linksQuery } from './around.queries.ts';
import { leadingIn, mayLink } from './leading.ts';
import { NoteProperties } from './NoteProperties.tsx';
import css from './ValueText.module.css';
import type { OfferUndo } from './use-property.ts';

const Attached = latePart(() => import('./Attached.tsx'));
const Reading = latePart(() => import('../../../ui/reading/Reading.tsx'));

const NO_MARKS: SourceMarks = [];
const NO_TAGS: readonly string[] = [];

interface ValueTextProps {
  /** Its text is shown without a title of its own, which stands above; with an empty title all of it. */
  memory: Pick<Memory, 'namespace' | 'value' | 'title'>;
  /** Its tags, where they stand above it. */
  tags?: readonly string[];
  /** The memory as it is stored, whose links are asked for; left out for one that is being written, or gone. */
  of?: MemoryAddress;
  /** The namespaces that its links may name. */
  known: readonly string[];
  isSource?: boolean;
  /** Offsets in the value. */
  marks?: SourceMarks;
  /** It is shown in another one: it shows no further ones, and has no outline. */
  isEmbedded?: boolean;
  /** Its properties can be changed, and each change be taken back. */
  offerUndo?: OfferUndo;
}

/** What a memory says, as it is best read. */
export function ValueText({
  memory,
  tags = NO_TAGS,
  of,
  known,
  isSource = false,
  marks = NO_MARKS,
  isEmbedded = false,
  offerUndo,
}: ValueTextProps) {
  const { namespace, value, title } = memory;
  const go = useGo();
  const { key } = of ?? {};
  const { data: out } = useQuery({
    ...linksQuery({ namespace, key: key ?? '' }),
    enabled: key !== undefined && mayLink(value),
    select: (links) => links.out,
  });
  const links = useMemo<NoteLinks>(
    () => ({
      namespaces: known,
      ...(out && key !== undefined && { leadsTo: leadingIn(out, key) }),
      ...(key !== undefined && {
        attached: (written: string, as: Attaching, otherwise: ReactNode) => (
          <Suspense fallback={null}>
            <Attached of={{ namespace, key }} written={written} as={as} otherwise={otherwise} />
          </Suspense>
        ),
      }),
      ...(!isEmbedded && {
        embedded: (target: NoteTarget) => (
          <EmbeddedNote key={target.key} at={{ namespace, ...target }} known={known} />
        ),
      }),
      hrefOf: (target) => `/memories${stringifySearch({ namespace, ...target })}`,
      onOpen: (target) => go({ namespace, in: undefined, ...target, mode: undefined }),
    }),
    [known, namespace, key, out, isEmbedded, go],
  );
  const from = isSource ? 0 : (ownTitle({ value, title })?.textAt ?? 0);
  const below = useMemo(
    () => marks.flatMap(([start, end]) => (start < from ? [] : [[start - from, end - from] as const])),
    [marks, from],
  );
  return (
    <div data-testid={isEmbedded ? 'embedded' : 'value'}>
      <Suspense fallback={<Skeleton lines={isEmbedded ? 2 : 6} />}>
        {!isSource && !isEmbedded && (
          <NoteProperties source={value} tags={tags} links={links} of={of} offerUndo={offerUndo} />
        )}
        <Reading
          value={value.slice(from)}
          marks={below}
          under={2}
          links={links}
          isSource={isSource}
          isQuote={isEmbedded}
          hasOutline={!isEmbedded}
        />
      </Suspense>
    </div>
  );
}

/** Another memory in the place of a link to it. */
function EmbeddedNote({ at, known }: { at: MemoryAddress; known: readonly string[] }) {
  const go = useGo();
  const { data: memory } = useQuery(memoryQuery(at.namespace, at.key));
  if (!memory) return <Skeleton lines={2} />;
  // What has no title is its own words, which stand below.
  const name = ownTitle(memory)?.words ?? at.key;
  return (
    <section className={css['embedded']} aria-label={`From ${nameOf(memory)}`}>
      <a
        className={css['name']}
        dir="auto"
        href={`/memories${stringifySearch({ ...at })}`}
        onClick={(event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey) return;
          event.preventDefault();
          go({ ...at, in: undefined, mode: undefined });
        }}
      >
        {name}
      </a>
      <ValueText memory={memory} of={memory} known={known} isEmbedded />
    </section>
  );
}
