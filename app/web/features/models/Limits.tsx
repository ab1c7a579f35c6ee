import { agentAt, type ModelUse, useModel } from '@reverie/shared/contract/system/models';
import { useState, type SubmitEvent } from 'react';
import { call } from '../../platform/daemon/api.ts';
import { notify } from '../../platform/notices.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog, DialogActions, DialogForm } from '../../ui/Dialog.tsx';
import { Field } from '../../ui/Field.tsx';
import { Banner } from '../../ui/Message.tsx';
import { useActing } from './acting.ts';
import { draftOf, readLimits } from './limits-draft.ts';
import { PARTS } from './words.ts';

/** The limits of tokens, as the form asks for them. */
const TOKENS = [
  {
    of: 'tokens',
    label: 'Tokens a day',
    hint: 'After so many the model rests until midnight UTC. Empty: no limit.',
  },
  {
    of: 'monthly',
    label: 'Tokens a month',
    hint: 'After so many it rests until the next month begins (UTC). Empty: no limit.',
  },
] as const;

/** Changes how long a request of a part may take, and how many tokens it may spend a day and a month. */
export function Limits({ use, onClose }: { use: ModelUse; onClose: () => void }) {
  const [draft, setDraft] = useState(() => draftOf(use));
  const reading = readLimits(draft);
  const faults = reading.ok ? {} : reading.faults;
  const save = useActing(async () => {
    const { part, server, name } = use;
    if (!reading.ok || server === null || name === null) return;
    // It is used already, so that whoever chose it has agreed to where it is; a coding agent may stand in config.json alone.
    const consent = agentAt(server) !== undefined && use.consent?.given_at != null;
    await call(useModel, {
      body: { server, name, for: [part], beyond_this_machine: true, consent, ...reading.limits },
    });
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!reading.ok) return;
    save.mutate(undefined, {
      onSuccess: () => {
        notify('good', `The limits of ${PARTS[use.part].use} are kept.`);
        onClose();
      },
    });
  };
  return (
    <Dialog title={`Limits of ${PARTS[use.part].use}`} onClose={onClose}>
      <DialogForm onSubmit={submit}>
        <Field
          label="Seconds that a request may take"
          hint="After that Reverie answers without the model."
          error={faults.seconds}
        >
          {(control) => (
            <input
              {...control}
              data-first
              inputMode="decimal"
              autoComplete="off"
              value={draft.seconds}
              onChange={(event) => setDraft({ ...draft, seconds: event.target.value })}
            />
          )}
        </Field>
        {TOKENS.map(({ of, label, hint }) => (
          <Field key={of} label={label} hint={hint} error={faults[of]}>
            {(control) => (
              <input
                {...control}
                inputMode="numeric"
                autoComplete="off"
                placeholder="no limit"
                value={draft[of]}
                onChange={(event) => setDraft({ ...draft, [of]: event.target.value })}
              />
            )}
          </Field>
        ))}
        {save.isError && <Banner tone="bad">They were not kept: {save.error.message}</Banner>}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="strong" disabled={!reading.ok || save.isPending}>
            {save.isPending ? 'Keeping…' : 'Keep'}
          </Button>
        </DialogActions>
      </DialogForm>
    </Dialog>
  );
}
