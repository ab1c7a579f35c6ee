import { byteLength, type JsonObject } from '@reverie/shared/contract/fields';
import { authorName } from '@reverie/shared/contract/author';
import type { Memory } from '@reverie/shared/contract/memories/memories';
import type { ReactNode } from 'react';
import { formatBytes, formatCount } from '../../../platform/format.ts';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import { Time, WrittenTime } from '../../../ui/Time.tsx';
import { tagsOf } from '../tags.ts';
import { printMetadata } from '../writing/drafts/draft.ts';
import css from './MetadataTable.module.css';

/** JSON of at most so many characters is not spread over lines. */
const ONE_LINE = 72;

/** What is known about a memory, behind a fold: its times, its size and its metadata, also as JSON for those who want it exactly. */
export function MetadataTable({ memory }: { memory: Memory }) {
  const { metadata, value } = memory;
  // What is shown above already is not told twice; tags of another shape are told here.
  const entries = Object.entries(metadata).filter(
    ([name]) =>
      name !== 'title' &&
      !(name === 'tags' && tagsOf(metadata).length > 0) &&
      !(name === 'anchors' && memory.anchors),
  );
  return (
    <details className={css['about']}>
      <summary>About this memory</summary>
      <dl className={css['table']}>
        {memory.noted_at !== undefined && (
          <Fact name="Of the day">
            <WrittenTime at={memory.noted_at} full />
          </Fact>
        )}
        <Fact name="Written">
          <WrittenTime at={memory.created_at} full />
        </Fact>
        <Fact name="Changed">
          <WrittenTime at={memory.updated_at} full />
        </Fact>
        {memory.author && (
          <Fact name="By">
            <bdi>{authorName(memory.author)}</bdi>
          </Fact>
        )}
        {memory.expires_at !== undefined && (
          <Fact name="Forgotten">
            <Time at={memory.expires_at} full />
          </Fact>
        )}
        <Fact name="Size">
          {formatCount(value.length)} characters, {formatBytes(byteLength(value))}
        </Fact>
        {entries.map(([name, of]) => (
          <Fact key={name} name={name}>
            <Value of={of} />
          </Fact>
        ))}
      </dl>
      {Object.keys(metadata).length > 0 && <Json metadata={metadata} />}
    </details>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={css['row']}>
      <dt>
        <bdi>{name}</bdi>
      </dt>
      <dd>{children}</dd>
    </div>
  );
}

function Json({ metadata }: { metadata: JsonObject }) {
  return (
    <details className={css['raw']}>
      <summary>Metadata as JSON</summary>
      <div className={css['json']}>
        <pre tabIndex={0} aria-label="Metadata as JSON">
          {printMetadata(metadata)}
        </pre>
        <CopyButton text={printMetadata(metadata)} what="metadata" />
      </div>
    </details>
  );
}
function Value({ of: value }: { of: unknown }) {
  if (typeof value === 'string') return <bdi>{value === '' ? '""' : value}</bdi>;
  if (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((one) => typeof one !== 'object' || one === null)
  )
    return (
      <ul className={css['chips']} role="list">
        {value.map((one: unknown, at) => (
          <li key={at} dir="auto">
            {String(one)}
          </li>
        ))}
      </ul>
    );
  const short = JSON.stringify(value);
  return <code>{short.length <= ONE_LINE ? short : JSON.stringify(value, null, 2)}</code>;
}
