import { listMemories } from '@reverie/shared/contract/memories';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../../platform/api.ts';
import { Unfetched } from '../../platform/Fetched.tsx';
import { Message } from '../../ui/Message.tsx';
import { plainLine } from '../../ui/reading/plain-line.ts';
import { Row, Rows } from '../../ui/Rows.tsx';
import { WrittenTime } from '../../ui/Time.tsx';
import type { TrayTarget } from './target.ts';

/** As many as one scrolls through in a small window. */
const SHOWN = 30;
/** Characters of a value that a line needs. */
const PREVIEW = 240;

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
      {changed.data.map(({ namespace, key, title, value, updated_at, created_at }) => (
        <Row
          key={JSON.stringify([namespace, key])}
          name={title === '' ? key : title}
          // What is named by its own first words says them once.
          excerpt={title.endsWith('…') ? '' : plainLine(value ?? '', title)}
          more={
            <>
              <bdi>{namespace}</bdi> · <WrittenTime at={updated_at ?? created_at} />
            </>
          }
          isOpen={false}
          onOpen={() => onOpen({ to: '/memories', search: { namespace, key } })}
        />
      ))}
    </Rows>
  );
}
