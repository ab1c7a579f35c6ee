import type { Elsewhere, UnderstoodQuery } from '@reverie/shared/contract/search/search';
import { useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { NamespaceDot } from '../../namespaces/NamespaceDot.tsx';
import { formatCount } from '../../../platform/format.ts';
import { anatomyOf } from '../../../ui/reading/anatomy.ts';
import { MemoryWords } from '../../../ui/reading/MemoryWords.tsx';
import type { MemoryAddress } from '../address.ts';
import { bestQuery } from '../queries.ts';
import css from './Lists.module.css';

type Corrections = NonNullable<UnderstoodQuery['corrected']>;

interface SearchNotesProps {
  query: string;
  corrected: Corrections | undefined;
  /** Namespaces in which more that fits better is found. */
  elsewhere: readonly Elsewhere[] | undefined;
  onElsewhere: (memory: MemoryAddress) => void;
}

/** Namespaces that are named as answering better; the daemon says three at most. */
const NAMED = 2;

/** Stands above the hits: which words were looked for as others, and where else more is found. */
export function SearchNotes({ query, corrected = [], elsewhere = [], onElsewhere }: SearchNotesProps) {
  return (
    <>
      {corrected.length > 0 && (
        <p className={css['note']} role="status">
          {corrected.map((one) => (
            <Correction key={one.word} {...one} />
          ))}
        </p>
      )}
      {elsewhere.slice(0, NAMED).map((other) => (
        <Better key={other.namespace} {...other} query={query} onElsewhere={onElsewhere} />
      ))}
    </>
  );
}

type BetterProps = Pick<SearchNotesProps, 'query' | 'onElsewhere'> & Pick<Elsewhere, 'namespace' | 'count'>;

function Better({ namespace, count, query, onElsewhere }: BetterProps) {
  const { data: best } = useQuery(bestQuery(namespace, query));
  if (!best) return null;
  return (
    <button type="button" className={css['better']} onClick={() => onElsewhere(best)}>
      <NamespaceDot of={namespace} />
      <span className={css['where']}>
        In <bdi>{namespace}</bdi>: {formatCount(count)} that {count === 1 ? 'fits' : 'fit'} better
      </span>
      <MemoryWords of={anatomyOf(best)} lines={2} />
    </button>
  );
}

function Correction({ word, read_as }: Corrections[number]) {
  return (
    <span>
      Nothing says “<bdi>{word}</bdi>”; looked for{' '}
      {read_as.map((one, at) => (
        <Fragment key={one}>
          {at > 0 && ' or '}“<bdi>{one}</bdi>”
        </Fragment>
      ))}
      .
    </span>
  );
}
