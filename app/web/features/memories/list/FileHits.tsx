import { EVERY_NAMESPACE } from '@reverie/shared/contract/fields';
import type { FileHit } from '@reverie/shared/contract/search/file-hit';
import { markedPassage } from '../../../platform/passage.ts';
import { Marked } from '../../../ui/text/Marked.tsx';
import { NamespaceDot } from '../../namespaces/NamespaceDot.tsx';
import type { MemoryAddress } from '../address.ts';
import css from './FileHits.module.css';

interface FileHitsProps {
  hits: readonly FileHit[];
  /** `*` where hits of several stand together, so that each says where it is. */
  namespace: string;
  onOpen: (memory: MemoryAddress) => void;
}

/** What PDFs say that memories name: each opens the memory that names it. */
export function FileHits({ hits, namespace, onOpen }: FileHitsProps) {
  return (
    <section className={css['files']} aria-label="In PDFs">
      <h2 className={css['head']}>In PDFs</h2>
      <ul role="list">
        {hits.map((hit) => (
          <li key={`${hit.namespace} ${hit.hash}`}>
            <button type="button" className={css['hit']} title={hit.path} onClick={() => openOf(hit, onOpen)}>
              <span className={css['line']}>
                <strong dir="auto">{hit.path.slice(hit.path.lastIndexOf('/') + 1)}</strong>
                <span className={css['page']}>page {hit.page}</span>
                {namespace === EVERY_NAMESPACE && <NamespaceDot of={hit.namespace} />}
                <bdi className={css['key']}>{hit.keys[0]}</bdi>
              </span>
              <span className={css['said']} dir="auto">
                <Marked {...markedPassage(hit.passage)} />
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function openOf({ namespace, keys: [key] }: FileHit, onOpen: FileHitsProps['onOpen']): void {
  if (key !== undefined) onOpen({ namespace, key });
}
