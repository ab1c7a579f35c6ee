import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Fetched } from '../../platform/queries/Fetched.tsx';
import { Button } from '../../ui/Button.tsx';
import { Column, Lead } from '../../ui/Column.tsx';
import { Items } from '../../ui/lists/Items.tsx';
import { Message } from '../../ui/Message.tsx';
import { ConnectAgent } from './ConnectAgent.tsx';
import { Judged } from './Judged.tsx';
import { evaluationQuery, recallsQuery } from './queries.ts';
import { RecallItem } from './RecallItem.tsx';

/** What coding agents were shown, whether it helped, and whether a search would find the same today. */
export default function AgentsView() {
  const recalls = useInfiniteQuery(recallsQuery);
  const evaluation = useQuery(evaluationQuery);
  const [isConnecting, setConnecting] = useState(false);
  useEffect(() => {
    document.title = 'Agents · Reverie';
  }, []);
  const all = recalls.data?.pages.flatMap((page) => page.recalls) ?? [];
  return (
    <Column>
      <h1>Agents</h1>
      <Lead>
        Helpers such as Claude Code look here before they work. See what they were shown, and why; say whether
        it helped, and Reverie tells you if it later does worse.
      </Lead>
      {evaluation.data && evaluation.data.cases > 0 && <Judged {...evaluation.data} />}
      <Fetched of={recalls} lines={6}>
        {() =>
          all.length === 0 ? (
            <Message icon="agent" title="No helper has looked here yet">
              <p>Connect one, and each memory that it is shown stands here, with what it was looking for.</p>
              <Button look="strong" icon="plus" onClick={() => setConnecting(true)}>
                Connect an agent
              </Button>
            </Message>
          ) : (
            <>
              <Items label="What agents were shown">
                {all.map((recall) => (
                  <RecallItem key={recall.id} of={recall} />
                ))}
              </Items>
              {recalls.hasNextPage && (
                <div>
                  <Button disabled={recalls.isFetchingNextPage} onClick={() => void recalls.fetchNextPage()}>
                    Show earlier ones
                  </Button>
                </div>
              )}
            </>
          )
        }
      </Fetched>
      {isConnecting && <ConnectAgent onClose={() => setConnecting(false)} />}
    </Column>
  );
}
