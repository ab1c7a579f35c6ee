import { appHits } from '@reverie/shared/contract/agents/app-tools';
import type { SearchHit } from '@reverie/shared/contract/search/search';
import { fitWords } from '../features/why/words.ts';
import { Why } from '../features/why/Why.tsx';
import { countOf, formatDate } from '../platform/format.ts';
import { Badge } from '../ui/Badge.tsx';
import { Marked } from '../ui/text/Marked.tsx';
import { Skeleton } from '../ui/Message.tsx';
import { anatomyOf } from '../ui/reading/anatomy.ts';
import type { CallTool } from './calling.ts';
import css from './InChat.module.css';
import { Failed } from './Failed.tsx';
import { useLoaded } from './use-loaded.ts';

interface HitsProps {
  query: string;
  queries: string[] | undefined;
  namespace: string | undefined;
  limit: number | undefined;
  call: CallTool;
}

/** What the agent found, each with why. */
export function Hits({ query, queries, namespace, limit, call }: HitsProps) {
  const [found, again] = useLoaded(() => call(appHits, { query, queries, namespace, limit }));
  if (found.kind === 'loading') return <Skeleton lines={4} />;
  if (found.kind === 'failed') return <Failed why={found.why} onAgain={again} />;
  const { hits, fits, namespace: where } = found.value;
  return (
    <section aria-labelledby="found" className={css['part']}>
      <h1 id="found" className={css['head']}>
        {headOf(hits.length, fits)}
      </h1>
      <p className={css['soft']}>
        <bdi>“{query}”</bdi> in {where === '*' ? 'every namespace' : <bdi>{where}</bdi>}
      </p>
      {hits.length > 0 && (
        <ol role="list" className={css['list']}>
          {hits.map((hit) => (
            <Hit
              key={`${hit.namespace} ${hit.key}`}
              hit={hit}
              isOfAll={where === '*'}
              isNewest={hits.length > 1 && hits.every((other) => other === hit || dayOf(other) < dayOf(hit))}
            />
          ))}
        </ol>
      )}
    </section>
  );
}

function headOf(count: number, fits: boolean): string {
  if (count === 0) return 'Nothing found';
  return fits ? countOf(count, 'memory fits', 'memories fit') : 'Nothing fits well; these are nearest';
}

interface HitProps {
  hit: SearchHit;
  isOfAll: boolean;
  isNewest: boolean;
}

function dayOf({ noted_at, updated_at }: SearchHit): string {
  return noted_at ?? updated_at;
}

function Hit({ hit, isOfAll, isNewest }: HitProps) {
  const { passage, score, key, namespace, why } = hit;
  const { title, text } = anatomyOf(hit);
  return (
    <li className={css['card']}>
      {title && (
        <h2 dir="auto" className={css['title']}>
          <Marked {...title} />
        </h2>
      )}
      {text.text !== '' && (
        <p dir="auto" className={css['said']}>
          <Marked {...text} />
        </p>
      )}
      <p className={css['aside']}>
        <Badge tone={hit.weaker ? 'plain' : 'accent'}>{fitWords(score)}</Badge>
        <span>{Math.round(score * 100)} %</span>
        <span>{formatDate(dayOf(hit))}</span>
        <bdi className={css['key']}>{isOfAll ? `${namespace} / ${key}` : key}</bdi>
      </p>
      {why && (
        <details>
          <summary>Why this one</summary>
          <Why {...why} passage={passage} isNewest={isNewest} />
        </details>
      )}
    </li>
  );
}
