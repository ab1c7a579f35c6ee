import type { status } from '@reverie/shared/contract/system/system';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { z } from 'zod';
import { Unfetched } from '../../platform/queries/Fetched.tsx';
import { formatBytes, formatCount } from '../../platform/format.ts';
import { Column } from '../../ui/Column.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Badge } from '../../ui/Badge.tsx';
import { Facts } from '../../ui/Facts.tsx';
import { Standing } from '../../ui/Standing.tsx';
import { Time } from '../../ui/Time.tsx';
import css from './StatusView.module.css';
import { statusQuery } from './queries.ts';
import { doingOf } from './words.ts';

type Storage = z.infer<typeof status.response>['storage'];

interface StatusProps {
  /** Of what else there are figures, such as quotas; shown once they are unfolded. */
  figures: ReactNode;
  children: ReactNode;
}

/** How Reverie is doing, in words and then in figures; looks again every few seconds. */
export default function StatusView({ figures, children }: StatusProps) {
  const now = useQuery(statusQuery);
  if (!now.data) return <Unfetched of={now} lines={8} />;
  const { data } = now;
  const { embedder, indexing } = data;
  return (
    <Column>
      <h1>How it is doing</h1>
      {doingOf(data).map(({ tone, word, sentence }) => (
        <Standing key={sentence} tone={tone} word={word}>
          {sentence}
        </Standing>
      ))}
      {children}
      <details className={css['figures']}>
        <summary>In figures</summary>
        <Facts
          rows={[
            [
              'Memories',
              <>
                <strong>{formatCount(data.memories)}</strong> in {formatCount(data.namespaces)}{' '}
                {data.namespaces === 1 ? 'namespace' : 'namespaces'}, {formatBytes(data.bytes)} of text
              </>,
            ],
            [
              'Search by meaning',
              <>
                {formatCount(embedder.embedded)} of {formatCount(embedder.total)} pieces of text are ready for
                it
                {embedder.embedded < embedder.total && (
                  <progress
                    max={embedder.total}
                    value={embedder.embedded}
                    aria-label="Texts that are ready"
                  />
                )}
              </>,
            ],
            [
              'What compares meanings',
              <>
                <ModelState of={embedder} /> <code>{embedder.model}</code>, {formatCount(embedder.dimensions)}{' '}
                dimensions
                {embedder.state === 'down' && ': search goes by words meanwhile'}
              </>,
            ],
            [
              'Language model',
              data.language_model === null ? (
                'none, and none is needed'
              ) : (
                <>
                  <ModelState of={data.language_model} /> <code>{data.language_model.model}</code>
                  {data.language_model.state === 'down' && ': answers are quoted meanwhile'}
                </>
              ),
            ],
            ['Disk', <DiskState of={data.storage} />],
            ['Not yet found by search', waiting(indexing.pending)],
            ['Facts not yet noted', waiting(indexing.facts_pending)],
            ['Running since', <Time at={data.started_at} full />],
            ['Version', data.version],
            [
              'Event log',
              <>
                <code>{data.log_id}</code> <CopyButton text={data.log_id} what="mark of the event log" />
              </>,
            ],
          ]}
        />
        {figures}
      </details>
    </Column>
  );
}

function waiting(count: number): string {
  return count === 0 ? 'nothing' : formatCount(count);
}

/** Whether the disk takes what is written, and whether what was deleted is out of the files. */
function DiskState({ of: { state, since, log_waits_since: waits } }: { of: Storage }) {
  if (state === 'full')
    return (
      <>
        <Badge tone="bad">full</Badge>
        {since !== null && (
          <>
            {' since '}
            <Time at={since} />
          </>
        )}
        : nothing new is stored until there is room
      </>
    );
  return (
    <>
      <Badge tone="good">works</Badge>
      {waits !== null && (
        <>
          {' another program reads the database since '}
          <Time at={waits} />: what was deleted leaves its log once that ends
        </>
      )}
    </>
  );
}

const STATES = {
  ok: { tone: 'good', word: 'works' },
  catching_up: { tone: 'accent', word: 'catching up' },
  down: { tone: 'bad', word: 'does not answer' },
} as const;

/** How a model does, since when, and why it does not. */
function ModelState({
  of: model,
}: {
  of: { state: keyof typeof STATES; since: string; error: string | null };
}) {
  const { tone, word } = STATES[model.state];
  return (
    <>
      <Badge tone={tone}>{word}</Badge>
      {model.state === 'down' && (
        <>
          {' since '}
          <Time at={model.since} />
          {model.error !== null && `: ${model.error}`}{' '}
        </>
      )}
    </>
  );
}
