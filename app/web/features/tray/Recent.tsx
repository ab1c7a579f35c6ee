import { listMemories } from '@reverie/shared/contract/memories/memories';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../../platform/daemon/api.ts';
import { Unfetched } from '../../platform/queries/Fetched.tsx';
import { Message } from '../../ui/Message.tsx';
import { anatomyOf } from '../../ui/reading/anatomy.ts';
import { MemoryWords } from '../../ui/reading/MemoryWords.tsx';
import { Row, Rows } from '../../ui/lists/Rows.tsx';
import { WrittenTime } from '../../ui/Time.tsx';
import type { TrayTarget } from './target.ts';

/** As many as one scrolls through in a small window. */
const SHOWN = 30;
/** Characters of a value that a line needs. */
const PREVIEW = 300;

const lastChangedQuery = queryOptions({
  queryKey: ['memories', '*', 'tray'],
  queryFn: async ({ signal }) =>
    (
      await call(
        listMemories,
        { body: { namespace: '*', order: 'updated', limit: SHOWN, preview: PREVIEW } },
        { signal },
      )
    ).memories,
});

/** What was changed last, in whatever namespace. */
export function Recent({ onOpen }: { onOpen: (target: TrayTarget) => void }) {
  const changed = useQuery(lastChangedQuery);
  if (!changed.data) return <Unfetched of={changed} lines={7} />;
  if (changed.data.length === 0)
    return (
      <Message icon="note" title="Nothing yet">
        <p>What you and your agents write appears here. Write the first thought with the plus above.</p>
      </Message>
    );
  return (
    <Rows label="Changed last">
      {changed.data.map((memory) => (
        <Row
          key={JSON.stringify([memory.namespace, memory.key])}
          words={<MemoryWords of={anatomyOf(memory)} lines={2} />}
          more={
            <>
              <bdi>{memory.namespace}</bdi> · <WrittenTime at={memory.updated_at} />
            </>
          }
          isOpen={false}
          onOpen={() => onOpen({ to: '/memories', search: { namespace: memory.namespace, key: memory.key } })}
        />
      ))}
    </Rows>
  );
}
