import type { Insight, InsightChange } from '@reverie/shared/contract/dreams/dreams';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatDate } from '../../platform/format.ts';
import { Badge } from '../../ui/Badge.tsx';
import { DiffView } from '../../ui/text/DiffView.tsx';
import { Marked } from '../../ui/text/Marked.tsx';
import type { MarkedText } from '../../ui/text/marked.ts';
import { Skeleton } from '../../ui/Message.tsx';
import { WrittenTime } from '../../ui/Time.tsx';
import { differing, sentenceOf } from './differing.ts';
import { evidenceQuery } from './queries.ts';
import { quotesOnce } from './said-once.ts';
import css from './Sheets.module.css';

/** What an insight rests on, as sheets to be read beside each other, and what accepting would change. */
export function Sheets({ insight }: { insight: Insight }) {
  const { change } = insight;
  switch (change?.kind) {
    case 'disagree':
      return <Disagreeing insight={insight} change={change} />;
    case 'merge':
      return <Merging insight={insight} change={change} />;
    case 'update':
      return (
        <section aria-label="What would change">
          <h3 className={css['label']}>What would change</h3>
          <Against namespace={insight.namespace} of={change.key} text={change.value} />
        </section>
      );
    case 'archive':
    case 'link':
    case undefined:
      return <Sources insight={insight} />;
  }
}

/** Up to so many characters a note is set as its sentence. */
const SHORT = 160;

type Change<Kind extends InsightChange['kind']> = Extract<InsightChange, { kind: Kind }>;

function Disagreeing({ insight, change }: { insight: Insight; change: Change<'disagree'> }) {
  const { resolution } = insight;
  const told = differing(sentenceOf(insight, change.older.key), sentenceOf(insight, change.newer.key));
  return (
    <ul className={css['sheets']} role="list" aria-label="Evidence" data-pair="true">
      {(['older', 'newer'] as const).map((which, at) => {
        const isHidden = resolution !== null && resolution !== 'both' && resolution !== which;
        return (
          <Sheet
            key={which}
            namespace={insight.namespace}
            of={[change[which].key]}
            said={told[at]}
            isKept={which === 'newer'}
            isHidden={isHidden}
            aside={isHidden && <Badge tone="plain">hidden</Badge>}
          >
            {which === 'older' ? 'Older, ' : 'Newer, '}
            {formatDate(change[which].date)}
          </Sheet>
        );
      })}
    </ul>
  );
}

/** What stays beside what is hidden, each as a whole: `the same note` is to be seen. */
function Merging({ insight, change }: { insight: Insight; change: Change<'merge'> }) {
  const isDone = insight.status === 'accepted';
  const kept = useQuery(evidenceQuery(insight.namespace, change.keep));
  return (
    <ul className={css['sheets']} role="list" aria-label="Evidence" data-pair={change.hide.length === 1}>
      <Sheet
        namespace={insight.namespace}
        of={[change.keep]}
        said={kept.data && { text: kept.data.value, marks: [] }}
        isKept
        aside={<Badge tone="accent">stays</Badge>}
      >
        {kept.data && <WrittenTime at={kept.data.updated_at} />}
      </Sheet>
      {change.hide.map((key) => (
        <Hidden key={key} insight={insight} of={key} keep={kept.data?.value} isDone={isDone} />
      ))}
    </ul>
  );
}

interface HiddenProps {
  insight: Insight;
  of: string;
  /** What the note says that stays. */
  keep: string | undefined;
  isDone: boolean;
}

function Hidden({ insight: { namespace }, of, keep, isDone }: HiddenProps) {
  const { data } = useQuery(evidenceQuery(namespace, of));
  const said =
    data && (keep === undefined ? { text: data.value, marks: [] } : differing(keep, data.value)[1]);
  return (
    <Sheet
      namespace={namespace}
      said={said}
      isHidden={isDone}
      of={[of]}
      aside={<Badge tone="plain">{isDone ? 'hidden' : 'is hidden then'}</Badge>}
    >
      {data && <WrittenTime at={data.updated_at} />}
    </Sheet>
  );
}

function Sources({ insight }: { insight: Insight }) {
  const quotes = quotesOnce(insight);
  if (quotes.length === 0) return null;
  return (
    <ul className={css['sheets']} role="list" aria-label="Evidence" data-pair={quotes.length === 2}>
      {quotes.map(({ sentence, keys }, at) => (
        <Sheet
          key={at}
          namespace={insight.namespace}
          of={keys}
          said={sentence === undefined ? null : { text: sentence, marks: [] }}
        />
      ))}
    </ul>
  );
}

interface SheetProps {
  namespace: string;
  /** The keys of the memories that say it. */
  of: readonly string[];
  /** Undefined while it is not known; null where the title says it already. */
  said: MarkedText | undefined | null;
  isKept?: boolean;
  isHidden?: boolean;
  aside?: ReactNode;
  children?: ReactNode;
}

function Sheet({ namespace, of, said, isKept = false, isHidden = false, aside, children }: SheetProps) {
  return (
    <li className={css['sheet']} data-kept={isKept} data-hidden={isHidden}>
      {(children !== undefined || aside !== undefined) && (
        <p className={css['when']}>
          <span>{children}</span>
          {aside}
        </p>
      )}
      {said !== null && (
        <blockquote
          className={css['said']}
          data-short={said !== undefined && said.text.length <= SHORT}
          dir="auto"
        >
          {said === undefined ? <Skeleton lines={2} /> : <Marked {...said} />}
        </blockquote>
      )}
      <p className={css['keys']}>
        {of.map((key) => (
          <Link key={key} to="/memories" search={{ namespace, key }} className={css['key']}>
            <bdi>{key}</bdi>
          </Link>
        ))}
      </p>
    </li>
  );
}

/** A memory as it is against what it would say. */
function Against({ namespace, of, text }: { namespace: string; of: string; text: string }) {
  const { data, isError } = useQuery(evidenceQuery(namespace, of));
  if (isError) return <p className={css['when']}>The note is not there any more.</p>;
  if (!data) return <Skeleton lines={3} />;
  return <DiffView before={data.value} after={text} />;
}
