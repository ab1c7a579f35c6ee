import { authorName } from '@reverie/shared/contract/author';
import type { Memory } from '@reverie/shared/contract/memories/memories';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { countOf, formatDate } from '../../../platform/format.ts';
import { useGo } from '../../../platform/place.ts';
import { Chip, Chips } from '../../../ui/Chip.tsx';
import { IconButton } from '../../../ui/Button.tsx';
import { Time, WrittenTime } from '../../../ui/Time.tsx';
import { TagInput } from '../acting/TagInput.tsx';
import { useTagging } from '../acting/use-tagging.ts';
import { ClassBadge } from '../ClassBadge.tsx';
import { historyQuery } from '../queries.ts';
import { tagOperator, tagsOf } from '../tags.ts';
import css from './Heading.module.css';
import { useSettled } from './use-settled.ts';

/** Characters of a value up to which all its versions are fetched only to be counted. */
const COUNTED = 20_000;

/** The title of a memory, above its text. */
export function Title({ children }: { children: string }) {
  return (
    <h2 className={css['title']} dir="auto" data-print>
      {children}
    </h2>
  );
}

interface FactsProps {
  memory: Memory;
  canWrite: boolean;
  onHistory: () => void;
}

/** What is known of a memory, in a quiet line: its tags, and in words when it was changed and until when it stays. */
export function Facts({ memory, canWrite, onHistory }: FactsProps) {
  const { metadata } = memory;
  const author = typeof metadata['author'] === 'string' ? metadata['author'] : undefined;
  return (
    <div className={css['facts']}>
      {memory.class !== 'note' && <ClassBadge of={memory.class} />}
      <p className={css['words']}>
        {author !== undefined && <bdi className={css['author']}>{author}</bdi>}
        {memory.noted_at !== undefined && (
          <time dateTime={memory.noted_at}>{formatDate(memory.noted_at)}</time>
        )}
        <span>
          {memory.created_at === memory.updated_at ? 'written' : 'changed'}{' '}
          <WrittenTime at={memory.updated_at} />
          {memory.author && !memory.author.self && (
            <>
              {' '}
              by <bdi>{authorName(memory.author)}</bdi>
            </>
          )}
        </span>
        <Versions memory={memory} onHistory={onHistory} />
        {memory.expires_at !== undefined && (
          <span className={css['ends']}>
            forgotten <Time at={memory.expires_at} />
          </span>
        )}
      </p>
      <Tags memory={memory} canWrite={canWrite} />
    </div>
  );
}

function Versions({ memory, onHistory }: Pick<FactsProps, 'memory' | 'onHistory'>) {
  const isSettled = useSettled();
  const wasChanged = memory.created_at !== memory.updated_at;
  const { data } = useQuery({
    ...historyQuery(memory.namespace, memory.key),
    enabled: isSettled && wasChanged && memory.value.length <= COUNTED,
  });
  if (!wasChanged || (data && data.length < 2)) return null;
  return (
    <button type="button" className={css['versions']} onClick={onHistory}>
      {data ? countOf(data.length, 'version', 'versions') : 'earlier versions'}
    </button>
  );
}

function Tags({ memory, canWrite }: Pick<FactsProps, 'memory' | 'canWrite'>) {
  const go = useGo();
  const tagging = useTagging();
  const [isAdding, setAdding] = useState(false);
  const tags = tagsOf(memory.metadata);
  const change = (add: readonly string[], remove: readonly string[]) =>
    tagging.mutate({ of: [memory], change: { add, remove } });
  if (tags.length === 0 && !canWrite) return null;
  return (
    <Chips label="Tags">
      {tags.map((tag) => (
        <Chip
          key={tag}
          openLabel={`Show all with the tag ${tag}`}
          onOpen={() => go({ q: tagOperator(tag), class: undefined })}
          removeLabel={`Remove the tag ${tag}`}
          onRemove={canWrite ? () => change([], [tag]) : undefined}
        >
          <bdi>{tag}</bdi>
        </Chip>
      ))}
      {canWrite &&
        (isAdding ? (
          <TagInput
            namespace={memory.namespace}
            has={tags}
            isFirst
            onAdd={(tag) => change([tag], [])}
            onLeave={() => setAdding(false)}
          />
        ) : (
          <IconButton icon="plus" label="Add a tag" className={css['add']} onClick={() => setAdding(true)} />
        ))}
    </Chips>
  );
}
