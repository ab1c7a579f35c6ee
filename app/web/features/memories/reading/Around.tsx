import type { LinkIn } from '@reverie/shared/contract/memories/links';
import type { Memory } from '@reverie/shared/contract/memories/memories';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useGo } from '../../../platform/place.ts';
import { Button } from '../../../ui/Button.tsx';
import { Icon } from '../../../ui/Icon.tsx';
import { plainLine } from '../../../ui/reading/plain-line.ts';
import { MemoryWords } from '../../../ui/reading/MemoryWords.tsx';
import type { MemoryAddress } from '../address.ts';
import css from './Around.module.css';
import { linksQuery, togetherQuery } from './around.queries.ts';

/** Around a memory: what links to it, what says its name, and what is related to it. */
export function Around({ memory }: { memory: Memory }) {
  const go = useGo();
  const { data: links } = useQuery(linksQuery(memory));
  const { in: linking = [], unlinked: mentioning = [], out = [] } = links ?? {};
  const { data: near = [] } = useQuery(togetherQuery(memory));
  const named = new Set([...linking.map(({ from }) => from), ...mentioning.map(({ from }) => from)]);
  for (const { to } of out) named.add(to);
  // What a note names, or is named by, stands there already; why a dream put two together does not.
  const together = near.filter(({ key, why }) => why !== undefined || !named.has(key));
  const open = ({ namespace, key }: MemoryAddress) => go({ namespace, key, in: undefined, mode: undefined });
  const openKey = (key: string) => open({ namespace: memory.namespace, key });
  if (linking.length + mentioning.length + together.length === 0) return null;
  return (
    <div className={css['around']}>
      {linking.length > 0 && <Naming label="What links here" notes={linking} isOpen onOpen={openKey} />}
      {mentioning.length > 0 && <Naming label="Mentioned, not linked" notes={mentioning} onOpen={openKey} />}
      {together.length > 0 && (
        <section aria-label="Related">
          <h2>Related</h2>
          <ul role="list">
            {together.map((one) => (
              <li key={one.key}>
                <button type="button" className={css['one']} onClick={() => open(one)}>
                  <Icon name={one.why === undefined ? 'note' : 'moon'} />
                  <span className={css['named']}>
                    <MemoryWords of={one.anatomy} lines={2} />
                    {one.why !== undefined && (
                      <span className={css['why']} dir="auto">
                        {one.why}
                      </span>
                    )}
                  </span>
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

/** How many are shown until all are wanted. */
const SHOWN = 8;

/** The box of a task, at the beginning of its words. */
const TICK_BOX = /^\s*\[[ xX]\]\s+/u;

interface NamingProps {
  label: string;
  notes: readonly LinkIn[];
  isOpen?: boolean;
  onOpen: (key: string) => void;
}

/** Notes that name this one, each with the line in which they do. */
function Naming({ label, notes, isOpen = false, onOpen }: NamingProps) {
  const [all, setAll] = useState(false);
  const shown = all ? notes : notes.slice(0, SHOWN);
  return (
    <details className={css['naming']} open={isOpen}>
      <summary>
        <h2>
          {label} <span className={css['count']}>{notes.length}</span>
        </h2>
      </summary>
      <ul role="list" aria-label={label}>
        {shown.map(({ from, passage }) => (
          <li key={from}>
            <button type="button" className={css['one']} onClick={() => onOpen(from)}>
              <Icon name="note" />
              <span className={css['named']}>
                <span dir="auto">{shortName(from)}</span>
                <span className={`${css['why']} ${css['line']}`} dir="auto">
                  {plainLine(passage.text.replace(TICK_BOX, ''))}
                </span>
              </span>
            </button>
          </li>
        ))}
      </ul>
      {shown.length < notes.length && <Button onClick={() => setAll(true)}>Show all {notes.length}</Button>}
    </details>
  );
}

/** What a note is called in its folder. */
function shortName(key: string): string {
  return key.slice(key.lastIndexOf('/') + 1).replace(/\.md$/iu, '');
}
