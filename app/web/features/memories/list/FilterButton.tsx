import { memoryClasses } from '@reverie/shared/contract/memories/memories';
import { useQuery } from '@tanstack/react-query';
import { Popover, ToggleGroup } from 'radix-ui';
import { IconButton } from '../../../ui/Button.tsx';
import choice from '../../../ui/Choice.module.css';
import { classOf, tagsQuery, type ListView } from '../queries.ts';
import css from './FilterButton.module.css';

/** Tags that are offered to filter by. */
const OFFERED = 16;

interface FilterProps {
  view: ListView;
  onClass: (only: ListView['class']) => void;
  onTag: (tag: string) => void;
}

/** Narrows the list by class and tag: one quiet button, with what there is to choose from behind it. */
export function FilterButton({ view, onClass, onTag }: FilterProps) {
  return (
    <Popover.Root>
      <Popover.Trigger asChild>
        <IconButton icon="tag" label="Filter" aria-pressed={view.class !== undefined} />
      </Popover.Trigger>
      <Popover.Content
        className={css['popover']}
        align="end"
        sideOffset={6}
        collisionPadding={8}
        aria-label="Filter"
      >
        <Inside view={view} onClass={onClass} onTag={onTag} />
      </Popover.Content>
    </Popover.Root>
  );
}

function Inside({ view, onClass, onTag }: FilterProps) {
  const { data: tags = [] } = useQuery(tagsQuery(view.namespace));
  return (
    <>
      <h2>Kind</h2>
      <ToggleGroup.Root
        type="single"
        className={choice['group']}
        aria-label="Kind"
        value={view.class ?? 'all'}
        onValueChange={(next) => onClass(classOf(next))}
      >
        <ToggleGroup.Item value="all" className={choice['one']}>
          All
        </ToggleGroup.Item>
        {memoryClasses.map((one) => (
          <ToggleGroup.Item key={one} value={one} className={choice['one']}>
            {one}
          </ToggleGroup.Item>
        ))}
      </ToggleGroup.Root>
      <h2>Tags</h2>
      {tags.length === 0 ? (
        <p className={css['none']}>None yet. Add tags where you read a memory, or with t.</p>
      ) : (
        <ul className={css['tags']} role="list">
          {tags.slice(0, OFFERED).map(([tag, count]) => (
            <li key={tag}>
              <Popover.Close className={css['tag']} onClick={() => onTag(tag)}>
                <bdi>{tag}</bdi> <span>{count}</span>
              </Popover.Close>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
