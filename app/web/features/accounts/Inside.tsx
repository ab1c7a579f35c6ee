import type { Account } from '@reverie/shared/contract/accounts/accounts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Unfetched } from '../../platform/queries/Fetched.tsx';
import { countOf } from '../../platform/format.ts';
import { Button } from '../../ui/Button.tsx';
import { Time } from '../../ui/Time.tsx';
import css from './AccountDetail.module.css';
import { memoriesOfQuery, namespacesOfQuery } from './queries.ts';

/** What another account remembers, to be read only; looking is asked for, since it is logged. */
export function Inside({ account }: { account: Account }) {
  const [looking, setLooking] = useState(false);
  return (
    <section className={css['inside']} aria-label="What it remembers">
      <h3>What it remembers</h3>
      {looking ? (
        <Namespaces account={account.id} />
      ) : (
        <>
          <p className={css['soft']}>
            These are the memories of somebody else’s agent. That you looked is logged.
          </p>
          <div>
            <Button icon="search" onClick={() => setLooking(true)}>
              Look into it
            </Button>
          </div>
        </>
      )}
    </section>
  );
}

function Namespaces({ account }: { account: string }) {
  const namespaces = useQuery(namespacesOfQuery(account));
  const [chosen, setChosen] = useState<string>();
  if (!namespaces.data) return <Unfetched of={namespaces} lines={3} />;
  const namespace = chosen ?? namespaces.data[0]?.namespace;
  if (namespace === undefined) return <p>It holds nothing any more.</p>;
  return (
    <>
      <select
        aria-label="Its namespaces"
        value={namespace}
        onChange={(event) => setChosen(event.target.value)}
      >
        {namespaces.data.map((one) => (
          <option key={one.namespace} value={one.namespace}>
            {one.namespace} ({countOf(one.count, 'memory', 'memories')})
          </option>
        ))}
      </select>
      <Memories account={account} namespace={namespace} />
    </>
  );
}

function Memories({ account, namespace }: { account: string; namespace: string }) {
  const memories = useQuery(memoriesOfQuery(account, namespace));
  if (!memories.data) return <Unfetched of={memories} lines={5} />;
  const { data } = memories;
  const hidden = data.total - data.memories.length;
  return (
    <>
      <ul className={css['memories']} role="list" aria-label="Its memories">
        {data.memories.map((memory) => (
          <li key={memory.key}>
            <h4 dir="auto">{memory.key}</h4>
            <p dir="auto">
              {memory.value}
              {memory.truncated && '…'}
            </p>
            <p className={css['soft']}>
              <Time at={memory.updated_at} />
            </p>
          </li>
        ))}
      </ul>
      {hidden > 0 && (
        <p className={css['soft']}>
          {countOf(hidden, 'older memory is', 'older memories are')} not shown;{' '}
          <code>reverie accounts show</code> and the API read them all.
        </p>
      )}
    </>
  );
}
