import { agentAt, type ModelUse, stopUsingModels } from '@reverie/shared/contract/system/models';
import { useState } from 'react';
import { call } from '../../platform/daemon/api.ts';
import { formatCount } from '../../platform/format.ts';
import { notify } from '../../platform/notices.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { Facts } from '../../ui/Facts.tsx';
import { Meter } from '../../ui/Meter.tsx';
import { Time } from '../../ui/Time.tsx';
import { WithCode } from '../../ui/text/WithCode.tsx';
import { useActing } from './acting.ts';
import { useFocusAfter } from './focus.ts';
import { Limits } from './Limits.tsx';
import css from './ModelsView.module.css';
import {
  limitWords,
  lockedBy,
  modelTitle,
  PARTS,
  payersWords,
  restOf,
  spentWords,
  standingOf,
  usesModel,
  whereTo,
} from './words.ts';

/** What each part uses, how that does, what it spent, and the limits that it has. */
export function InUse({ uses }: { uses: readonly ModelUse[] }) {
  const [limiting, setLimiting] = useState<ModelUse>();
  return (
    <section aria-labelledby="models-in-use" className={css['part']}>
      <h2 id="models-in-use">In use</h2>
      <ul className={css['cards']} role="list">
        {uses.map((use) => (
          <li key={use.part} className={css['card']} aria-label={PARTS[use.part].name}>
            <OneUse use={use} onLimits={() => setLimiting(use)} />
          </li>
        ))}
      </ul>
      {limiting && <Limits use={limiting} onClose={() => setLimiting(undefined)} />}
    </section>
  );
}

function OneUse({ use, onLimits }: { use: ModelUse; onLimits: () => void }) {
  const { tone, word, sentence } = standingOf(use);
  const words = PARTS[use.part];
  const isUsed = usesModel(use);
  const locked = lockedBy(use);
  return (
    <>
      <div className={css['line']}>
        <h3>{words.name}</h3>
        <Badge tone={tone}>{word}</Badge>
        {use.since !== null && isUsed && use.state !== 'ok' && (
          <span className={css['soft']}>
            since <Time at={use.since} />
          </span>
        )}
        {isUsed && <UseActions use={use} onLimits={onLimits} />}
      </div>
      <p className={css['text']}>
        <WithCode>{sentence}</WithCode>
      </p>
      {isUsed && locked !== undefined && (
        <p id={`locked-${use.part}`} className={css['soft']}>
          {locked}
        </p>
      )}
      {isUsed && (
        <>
          <Facts
            rows={[
              ['Model', <Model use={use} />],
              ['Goes to', <bdi>{whereTo(use)}</bdi>],
              ['Agreed', use.consent?.given_at != null && <Time at={use.consent.given_at} />],
              ['Limits', limitWords(use)],
              ['Spent', spentWords(use)],
              ['For whom', payersWords(use.spent)],
            ]}
          />
          {use.tokens_per_day !== null && (
            <Meter
              label="Tokens of today"
              used={use.spent.tokens_today}
              limit={use.tokens_per_day}
              words={`${formatCount(use.spent.tokens_today)} of ${formatCount(use.tokens_per_day)}`}
              note={restOf(use) === 'day' && 'Counted anew after midnight UTC.'}
            />
          )}
          {use.tokens_per_month !== null && (
            <Meter
              label="Tokens of this month"
              used={use.spent.tokens_month}
              limit={use.tokens_per_month}
              words={`${formatCount(use.spent.tokens_month)} of ${formatCount(use.tokens_per_month)}`}
              note={restOf(use) === 'month' && 'Counted anew when the next month begins (UTC).'}
            />
          )}
        </>
      )}
    </>
  );
}

function Model({ use: { name, server } }: { use: ModelUse }) {
  if (server === null || name === null) return null;
  if (agentAt(server) !== undefined) return <bdi>{modelTitle({ server, name })}</bdi>;
  return (
    <>
      <code>{name}</code> at <bdi>{server}</bdi>
    </>
  );
}

function UseActions({ use, onLimits }: { use: ModelUse; onLimits: () => void }) {
  const locked = lockedBy(use);
  const { name, use: purpose } = PARTS[use.part];
  const off = useActing(() => call(stopUsingModels, { query: { for: use.part } }));
  const actions = useFocusAfter<HTMLSpanElement>('models-title');
  const stop = () =>
    off.mutate(undefined, {
      onSuccess: () => notify('good', `No model is used for ${purpose} any more.`),
      onError: (error) => notify('bad', `It is still used: ${error.message}`),
    });
  const why = locked === undefined ? undefined : `locked-${use.part}`;
  return (
    <span ref={actions} className={css['actions']}>
      <Button disabled={locked !== undefined} aria-describedby={why} onClick={onLimits}>
        Limits…<span className="sr-only"> of {name}</span>
      </Button>
      <Button disabled={locked !== undefined || off.isPending} aria-describedby={why} onClick={stop}>
        Turn off<span className="sr-only"> for {purpose}</span>
      </Button>
    </span>
  );
}
