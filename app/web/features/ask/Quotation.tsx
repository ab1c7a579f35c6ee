import type { Citation } from '@reverie/shared/contract/search/ask';
import { Link } from '@tanstack/react-router';
import { formatDate } from '../../platform/format.ts';
import type { MarkedText } from '../../ui/text/marked.ts';
import { ownTitle } from '../../ui/reading/own-title.ts';
import { WrittenTime } from '../../ui/Time.tsx';
import { NamespaceDot } from '../namespaces/NamespaceDot.tsx';
import { Why } from '../why/Why.tsx';
import { Passage } from './Passage.tsx';
import css from './Quotation.module.css';

interface QuotationProps {
  citation: Citation;
  /** Empty where the answer above says them already. */
  words: MarkedText;
  /** The number by which the answer names it. */
  place?: number | undefined;
  /** Until when it held, where something else holds now. */
  before?: string;
  /** Whether it has to say which namespace it is of. */
  isOfAll: boolean;
  /** Whether nothing that is quoted beside it is newer. */
  isNewest: boolean;
}

/** A memory that is quoted, once: its title, where it has one, its words, and a quiet line of where and when. */
export function Quotation({ citation, words, place, before = '', isOfAll, isNewest }: QuotationProps) {
  const { namespace, key, title, value, why } = citation;
  const own = ownTitle({ value, title });
  const name = own?.words ?? (title === '' ? key : title);
  const link = { to: '/memories', search: { namespace, key } } as const;
  const line = (
    <div className={css['line']}>
      {place !== undefined && <span className={css['place']}>{place}</span>}
      {own && (
        <Link {...link} className={css['title']}>
          <bdi>{own.words}</bdi>
        </Link>
      )}
      {before !== '' && <span className={css['before']}>{before}</span>}
      {isOfAll && (
        <span className={css['where']}>
          <NamespaceDot of={namespace} /> <bdi>{namespace}</bdi>
        </span>
      )}
      <Day of={citation} />
      {!own && (
        <Link {...link} aria-label={`Open ${name}`}>
          Open
        </Link>
      )}
    </div>
  );
  return (
    <li className={css['quotation']} data-older={before !== ''}>
      {own && line}
      {words.text !== '' && (
        <blockquote className={css['words']}>
          <Passage {...words} namespace={namespace} />
        </blockquote>
      )}
      {!own && line}
      {why && (
        <details className={css['why']}>
          <summary>Why this one</summary>
          <Why {...why} passage={citation.passage} isNewest={isNewest} />
        </details>
      )}
    </li>
  );
}

/** The day that it tells, else when it was written down. */
function Day({ of: { date, noted_at, updated_at } }: { of: Citation }) {
  const told = date ?? noted_at;
  return told === undefined ? (
    <WrittenTime at={updated_at} />
  ) : (
    <time dateTime={told}>{formatDate(told)}</time>
  );
}
