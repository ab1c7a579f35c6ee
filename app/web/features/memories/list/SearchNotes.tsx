import type { Elsewhere, UnderstoodQuery } from '@reverie/shared/contract/search';
import { useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { NamespaceDot } from '../../namespaces/NamespaceDot.tsx';
import { type MemoryAddress, nameOf } from '../address.ts';
import { bestQuery } from '../queries.ts';
import css from './Lists.module.css';

type Corrections = NonNullable<UnderstoodQuery['corrected']>;

interface SearchNotesProps {
  query: string;
  corrected: Corrections | undefined;
  elsewhere: readonly Elsewhere[] | undefined;
  onElsewhere: (memory: MemoryAddress) => void;
}

/** Namespaces that are named as answering better; the daemon says three at most. */
const NAMED = 2;

/** Stands above the hits: which words were looked for as others, and which namespaces answer better. */
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
      {elsewhere.slice(0, NAMED).map(({ namespace }) => (
        <Better key={namespace} namespace={namespace} query={query} onElsewhere={onElsewhere} />
      ))}
    </>
  );
}

interface BetterProps extends Pick<SearchNotesProps, 'query' | 'onElsewhere'> {
  namespace: string;
}

function Better({ namespace, query, onElsewhere }: BetterProps) {
  const { data: best } = useQuery(bestQuery(namespace, query));
  if (!best) return null;
  return (
    <button type="button" className={css['better']} onClick={() => onElsewhere(best)}>
      <NamespaceDot of={namespace} />
      <span>
        <bdi>{namespace}</bdi> answers this better: <cite dir="auto">{nameOf(best)}</cite>
      </span>
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
