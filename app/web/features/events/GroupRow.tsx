import { plainWords } from '@reverie/shared/contract/events/memory-words';
import { whoIs, type Names } from '@reverie/shared/contract/events/actor-words';
import { countOf } from '../../platform/format.ts';
import type { IconName } from '../../ui/Icon.tsx';
import { ListRow } from '../../ui/lists/ListRow.tsx';
import type { RowPlace } from '../../ui/lists/VirtualList.tsx';
import type { EventRow } from './event-row.ts';
import type { EventGroup } from './grouping.ts';
import { Said } from './Said.tsx';
import { sentenceOf } from './sentence.ts';

interface GroupRowProps {
  group: EventGroup;
  names: Names;
  place: RowPlace;
  heading: string | undefined;
  isOpen: boolean;
  onOpen: () => void;
}

/** One act in the log: who did what to what, where and when. */
export function GroupRow({ group, names, ...row }: GroupRowProps) {
  const [newest] = group.rows;
  if (!newest) return null;
  const sentence = sentenceOf(group, names);
  const places = [...new Set(group.rows.map(({ namespace }) => namespace))];
  return (
    <ListRow
      {...row}
      icon={iconOf(newest, names)}
      title={<Said sentence={sentence} />}
      whole={plainWords(sentence)}
      at={newest.created_at}
      more={
        <>
          <bdi>
            {places.length > 2 ? countOf(places.length, 'namespace', 'namespaces') : places.join(', ')}
          </bdi>
        </>
      }
    />
  );
}

/** Who it was, or what it is about where that says more. */
function iconOf({ what, actor }: EventRow, names: Names): IconName {
  if (what.kind === 'message') return 'inbox';
  if (what.kind === 'webhook') return 'hook';
  switch (actor.kind) {
    case 'job':
      return 'moon';
    case 'device':
      return 'device';
    case 'system':
      return actor.id === 'folders' ? 'folder' : 'gear';
    case 'key':
      return whoIs(actor, names) === 'You' ? 'edit' : 'agent';
  }
}
