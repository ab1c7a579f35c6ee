import { calendarDay } from '@reverie/shared/contract/calendar-day';
import { useState, type SubmitEvent } from 'react';
import { useNow } from '../../platform/clock.ts';
import { formatDay } from '../../platform/format.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog, DialogActions, DialogForm } from '../../ui/Dialog.tsx';
import { Field } from '../../ui/Field.tsx';
import css from './SnoozeDialog.module.css';
import { dayToCome, snoozeChoices } from './snoozing.ts';

interface SnoozeProps {
  /** Gets when the chosen day begins. */
  onChoose: (until: string) => void;
  onClose: () => void;
}

/** Until which day a proposal is put off. */
export function SnoozeDialog({ onChoose, onClose }: SnoozeProps) {
  const now = useNow();
  const [typed, setTyped] = useState('');
  const choices = snoozeChoices(now);
  const day = dayToCome(typed, now);
  const choose = (until: Date) => {
    onChoose(until.toISOString());
    onClose();
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (day) choose(day);
  };
  return (
    <Dialog title="Decide later" onClose={onClose}>
      <ul className={css['days']} role="list">
        {choices.map(({ name, until }, at) => (
          <li key={name}>
            <button
              type="button"
              className={css['day']}
              data-first={at === 0 ? true : undefined}
              onClick={() => choose(until)}
            >
              {name} <span>{formatDay(until.toISOString())}</span>
            </button>
          </li>
        ))}
      </ul>
      <DialogForm onSubmit={submit}>
        <Field label="Or on a day">
          {(control) => (
            <input
              {...control}
              type="date"
              min={choices[0] && calendarDay(choices[0].until)}
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
            />
          )}
        </Field>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" disabled={day === undefined}>
            Put off until then
          </Button>
        </DialogActions>
      </DialogForm>
    </Dialog>
  );
}
