import { Trouble } from '../../../../platform/Trouble.tsx';
import { Message, Skeleton } from '../../../../ui/Message.tsx';
import { VirtualFeed } from '../../../../ui/lists/VirtualFeed.tsx';
import { Entry } from './Entry.tsx';
import { heightOf } from './row-height.ts';
import type { SessionReader } from '../use-reader.ts';

/** What was said and done, any number of entries; or why there are none, yet. */
export function Entries({ reader, title }: { reader: SessionReader; title: string }) {
  const { state, rows, feed, current, onRange, onUserScroll, begin } = reader;
  if (rows.length > 0)
    return (
      <VirtualFeed
        handle={feed}
        label={`What was said and done in ${title}`}
        count={rows.length}
        keyAt={(index) => rows[index]?.key ?? String(index)}
        heightAt={(index) => heightOf(rows[index])}
        follows={state.grownBy === 'news' && state.after === null}
        busy={state.phase === 'loading'}
        onRange={onRange}
        onUserScroll={onUserScroll}
        draw={(index) => {
          const row = rows[index];
          return row && <Entry row={row} at={index} count={rows.length} isCurrent={row.key === current} />;
        }}
      />
    );
  if (state.error) return <Trouble error={state.error} retry={() => begin('start')} />;
  if (state.phase === 'loading') return <Skeleton lines={12} />;
  return (
    <Message icon="session" title="Nothing was said in it yet">
      <p>What its agent writes down is here within a second.</p>
    </Message>
  );
}
