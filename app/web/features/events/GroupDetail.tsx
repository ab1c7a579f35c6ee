import { plainWords } from '@reverie/shared/contract/events/memory-words';
import type { Names } from '@reverie/shared/contract/events/actor-words';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Unfetched } from '../../platform/queries/Fetched.tsx';
import { formatCount } from '../../platform/format.ts';
import { useGo } from '../../platform/place.ts';
import { Button } from '../../ui/Button.tsx';
import { Disclosure, Disclosures } from '../../ui/lists/Disclosure.tsx';
import { Frame } from '../../ui/Frame.tsx';
import { Time } from '../../ui/Time.tsx';
import { Changes, Raw } from './Changes.tsx';
import type { EventRow } from './event-row.ts';
import css from './EventDetail.module.css';
import type { EventGroup } from './grouping.ts';
import { OpenMemory } from './OpenMemory.tsx';
import { eventQuery } from './queries.ts';
import { Said } from './Said.tsx';
import { lineOf, sentenceOf } from './sentence.ts';

/** Lines that are shown at once; an import may have thousands. */
const SHOWN = 100;
/** So few lines have room for what the newest of them changed. */
const FEW = 4;

interface GroupProps {
  group: EventGroup;
  names: Names;
  onClose: () => void;
}

/** All that was done in one act, a line each, newest first; each opens to what it changed. */
export function GroupDetail({ group, names, onClose }: GroupProps) {
  const rows = toldOf(group.rows);
  const go = useGo('/dreams');
  const [shown, setShown] = useState(SHOWN);
  const [newest] = rows;
  const namespace = newest?.namespace;
  const found = rows.some(
    ({ what }) => what.kind === 'insight' || (what.kind === 'dream' && what.stage.at === 'found'),
  );
  return (
    <Frame title={plainWords(sentenceOf(group, names))} onClose={onClose}>
      <div className={css['parts']}>
        <p className={css['soft']}>
          In <bdi>{namespace}</bdi>
          {newest && (
            <>
              , <Time at={newest.created_at} full />
            </>
          )}
        </p>
        {newest?.actor.kind === 'job' && found && (
          <div>
            <Button
              icon="moon"
              onClick={() => go({ namespace, event: undefined, family: undefined, actor: undefined })}
            >
              Review what it found
            </Button>
          </div>
        )}
        <Disclosures label="What was done">
          {rows.slice(0, shown).map((row, at) => (
            <Line key={row.seq} row={row} names={names} begins={at === 0 && rows.length <= FEW} />
          ))}
        </Disclosures>
        {shown < rows.length && (
          <div>
            <Button onClick={() => setShown(shown + SHOWN)}>
              Show more ({formatCount(rows.length - shown)})
            </Button>
          </div>
        )}
      </div>
    </Frame>
  );
}

/** What of an act is told line by line: of a dream's steps how they ended, once they have. */
function toldOf(rows: readonly EventRow[]): readonly EventRow[] {
  const isStep = (row: EventRow, isDone: boolean) =>
    row.what.kind === 'dream' && row.what.stage.at === 'step' && row.what.stage.isDone === isDone;
  return rows.some((row) => isStep(row, true)) ? rows.filter((row) => !isStep(row, false)) : rows;
}

interface LineProps {
  row: EventRow;
  names: Names;
  /** Whether it is open to begin with. */
  begins: boolean;
}

function Line({ row, names, begins }: LineProps) {
  const [isOpen, setOpen] = useState(begins);
  return (
    <Disclosure
      line={<Said sentence={lineOf(row, names)} />}
      aside={<Time at={row.created_at} />}
      isOpen={isOpen}
      onToggle={() => setOpen(!isOpen)}
    >
      <Opened seq={row.seq} />
    </Disclosure>
  );
}

function Opened({ seq }: { seq: number }) {
  const fetched = useQuery(eventQuery(seq));
  const { data: event } = fetched;
  if (event)
    return (
      <>
        <Changes event={event} />
        <OpenMemory event={event} />
        <Raw event={event} />
      </>
    );
  if (event === null && !fetched.isError) return <p className={css['soft']}>It is no longer kept.</p>;
  return <Unfetched of={fetched} lines={2} />;
}
