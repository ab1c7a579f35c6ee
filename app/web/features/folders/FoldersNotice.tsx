import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Badge } from '../../ui/Badge.tsx';
import { Item, Items } from '../../ui/lists/Items.tsx';
import { foldersQuery } from './queries.ts';
import { standingOf } from './words.ts';

/** Folders that do not follow their files now, where it is told how everything does; nothing where all do. */
export function FoldersNotice() {
  const { data } = useQuery(foldersQuery);
  const waiting = data?.filter(({ state }) => state.kind === 'paused' || state.kind === 'holding') ?? [];
  if (waiting.length === 0) return null;
  return (
    <Items label="Folders that wait">
      {waiting.map((folder) => {
        const { tone, word, more } = standingOf(folder);
        return (
          <Item
            key={folder.id}
            name={<Link to="/folders">{folder.path}</Link>}
            badges={<Badge tone={tone}>{word}</Badge>}
            more={more}
          />
        );
      })}
    </Items>
  );
}
