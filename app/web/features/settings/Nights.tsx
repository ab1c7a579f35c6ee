import { formatCount } from '../../platform/format.ts';
import { Switch } from '../../ui/Switch.tsx';
import { Draft } from './Draft.tsx';
import { Fixed, fixedBy } from './Fixed.tsx';
import { useChangeSettings } from './change.ts';
import type { Settings } from './queries.ts';
import { Setting } from './Setting.tsx';

/** When it begins where somebody only turns it on. */
const USUAL = '03:30';

/** What runs at night: dreams, which only propose. */
export function Nights({ settings }: { settings: Settings }) {
  const change = useChangeSettings();
  const { schedule, budget_tokens } = settings.dream;
  const isOn = schedule !== 'off';
  const fixed = fixedBy(settings, 'dream.schedule');
  return (
    <>
      <Setting
        name="Dream every night"
        hint={
          <Fixed by={fixed}>
            A dream looks through what changed, for what stands there twice, disagrees or comes up. It
            proposes; you decide, in Review.
          </Fixed>
        }
      >
        {isOn && (
          <Draft
            type="time"
            label="When dreams begin"
            value={schedule}
            isDisabled={fixed !== undefined}
            onKeep={(value) => change.mutate({ dream: { schedule: value } })}
          />
        )}
        <Switch
          label="Dream every night"
          isOn={isOn}
          isDisabled={fixed !== undefined || change.isPending}
          onChange={(next) => change.mutate({ dream: { schedule: next ? USUAL : 'off' } })}
        />
      </Setting>
      <Setting
        name="How much a model may read for one dream"
        hint={
          <Fixed by={fixedBy(settings, 'dream.budget_tokens')}>
            In tokens, of which a page of text has some 600; {formatCount(budget_tokens)} are about{' '}
            {formatCount(Math.round(budget_tokens / 600))} pages. Only a model needs this.
          </Fixed>
        }
      >
        <Draft
          type="number"
          label="How much a model may read for one dream"
          min={0}
          max={1_000_000_000}
          value={String(budget_tokens)}
          isDisabled={fixedBy(settings, 'dream.budget_tokens') !== undefined}
          onKeep={(value) => change.mutate({ dream: { budget_tokens: Number(value) } })}
        />
      </Setting>
    </>
  );
}
