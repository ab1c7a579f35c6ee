import type { Elsewhere, UnderstoodQuery } from '@reverie/shared/contract/search';
import { Fragment } from 'react';
import { formatCount } from '../../platform/format.ts';
import { Button } from '../../ui/Button.tsx';
import css from './Lists.module.css';

type Corrections = NonNullable<UnderstoodQuery['corrected']>;

interface SearchNotesProps {
  corrected: Corrections | undefined;
  elsewhere: readonly Elsewhere[] | undefined;
  /** Opens a namespace with the same query. */
  onNamespace: (namespace: string) => void;
}

/** Stands above the hits: which words were looked for as others, and which namespaces answer better. */
export function SearchNotes({ corrected = [], elsewhere = [], onNamespace }: SearchNotesProps) {
  return (
    <>
      {corrected.length > 0 && (
        <p className={css['note']} role="status">
          {corrected.map((one) => (
            <Correction key={one.word} {...one} />
          ))}
        </p>
      )}
      {elsewhere.length > 0 && (
        <p className={css['note']}>
          More fits elsewhere:
          {elsewhere.map(({ namespace, count }) => (
            <Button key={namespace} onClick={() => onNamespace(namespace)}>
              {formatCount(count)} in <bdi>{namespace}</bdi>
            </Button>
          ))}
        </p>
      )}
    </>
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
