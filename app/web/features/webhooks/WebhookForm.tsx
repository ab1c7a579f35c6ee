import { eventFamilies, eventTypes } from '@reverie/shared/contract/events/events';
import { registerWebhook, updateWebhook, type Webhook } from '@reverie/shared/contract/events/webhooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode, type SubmitEvent } from 'react';
import { call } from '../../platform/daemon/api.ts';
import { notify } from '../../platform/notices.ts';
import { Button } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Field } from '../../ui/Field.tsx';
import { Banner } from '../../ui/Message.tsx';
import {
  covers,
  draftOf,
  emptyDraft,
  faultsOfError,
  newSecret,
  readRegistration,
  readUpdate,
  withPattern,
  type WebhookDraft,
  type Faults,
} from './draft.ts';
import css from './WebhookForm.module.css';

interface FormProps {
  /** The one that is changed; undefined for a new one. */
  webhook?: Webhook;
  onSaved: (id: string) => void;
  onCancel: () => void;
}

/** Registers a webhook, or changes one. */
export function WebhookForm({ webhook, onSaved, onCancel }: FormProps) {
  const [draft, setDraft] = useState(() =>
    webhook ? draftOf(webhook) : emptyDraft(newSecret((bytes) => crypto.getRandomValues(bytes))),
  );
  const [faults, setFaults] = useState<Faults>({});
  const change = (to: Partial<WebhookDraft>) => {
    setDraft({ ...draft, ...to });
    setFaults({});
  };
  const save = useSave(webhook, { onSaved, onFaults: setFaults });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    save.mutate(draft);
  };
  return (
    <form className={css['form']} onSubmit={submit} noValidate>
      <Field
        label="URL"
        error={faults['url']}
        hint="Each event is sent here as a POST. Redirects are not followed."
      >
        {(control) => (
          <input
            {...control}
            type="url"
            required
            autoComplete="off"
            spellCheck={false}
            placeholder="https://example.org/reverie"
            value={draft.url}
            onChange={(event) => change({ url: event.target.value })}
          />
        )}
      </Field>
      <Patterns draft={draft} fault={faults['events']} onChange={change} />
      <Secret draft={draft} isNew={!webhook} fault={faults['secret']} onChange={change} />
      <Field label="Description" error={faults['description']}>
        {(control) => (
          <input
            {...control}
            dir="auto"
            autoComplete="off"
            placeholder="What it is for"
            value={draft.description}
            onChange={(event) => change({ description: event.target.value })}
          />
        )}
      </Field>
      <Options draft={draft} faults={faults} onChange={change} />
      {save.isError && !faultsOfError(save.error) && (
        <Banner tone="bad">It was not saved: {save.error.message}</Banner>
      )}
      <div className={css['actions']}>
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" look="strong" disabled={save.isPending}>
          {webhook ? 'Save' : 'Register webhook'}
        </Button>
      </div>
    </form>
  );
}

interface Saving {
  onSaved: (id: string) => void;
  onFaults: (faults: Faults) => void;
}

function useSave(webhook: Webhook | undefined, { onSaved, onFaults }: Saving) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (draft: WebhookDraft) => {
      const reading = webhook ? readUpdate(draft, webhook) : readRegistration(draft);
      if (!reading.ok) {
        onFaults(reading.faults);
        return undefined;
      }
      if (webhook) {
        if (reading.body) await call(updateWebhook, { params: { id: webhook.id }, body: reading.body });
        return webhook.id;
      }
      const registration = readRegistration(draft);
      return registration.ok ? (await call(registerWebhook, { body: registration.body })).id : undefined;
    },
    onError: (error) => onFaults(faultsOfError(error) ?? {}),
    onSuccess: async (id) => {
      if (id === undefined) return;
      await queries.invalidateQueries({ queryKey: ['webhooks'] });
      notify('good', webhook ? 'The webhook is changed.' : 'The webhook is registered.');
      onSaved(id);
    },
  });
}

interface PartProps {
  draft: WebhookDraft;
  onChange: (to: Partial<WebhookDraft>) => void;
}

function Patterns({ draft, fault, onChange }: PartProps & { fault: string | undefined }) {
  const box = (pattern: (typeof draft.events)[number], label: ReactNode) => {
    const isCovered = draft.events.some((one) => covers(one, pattern));
    return (
      <label key={pattern} className={css['tick']}>
        <input
          type="checkbox"
          checked={isCovered || draft.events.includes(pattern)}
          disabled={isCovered}
          onChange={(event) => onChange({ events: withPattern(draft.events, pattern, event.target.checked) })}
        />
        {label}
      </label>
    );
  };
  return (
    <fieldset className={css['patterns']}>
      <legend>Events</legend>
      {box('*', 'Everything')}
      <div className={css['families']}>
        {eventFamilies.map((family) => (
          <div key={family} className={css['family']}>
            {box(
              `${family}.*`,
              <strong>
                All of <code>{family}</code>
              </strong>,
            )}
            {eventTypes
              .filter((type) => type.startsWith(`${family}.`))
              .map((type) => box(type, <code>{type}</code>))}
          </div>
        ))}
      </div>
      {fault && (
        <p className={css['fault']} role="alert">
          {fault}
        </p>
      )}
    </fieldset>
  );
}

function Secret({
  draft,
  isNew,
  fault,
  onChange,
}: PartProps & { isNew: boolean; fault: string | undefined }) {
  return (
    <div className={css['secret']}>
      <Field
        label="Secret"
        error={fault}
        hint={
          isNew
            ? 'Copy it to the receiver now: deliveries are signed with it, and it is never shown again.'
            : 'Leave it empty to keep the secret that it has.'
        }
      >
        {(control) => (
          <input
            {...control}
            autoComplete="off"
            spellCheck={false}
            placeholder={isNew ? '' : 'unchanged'}
            value={draft.secret}
            onChange={(event) => onChange({ secret: event.target.value })}
          />
        )}
      </Field>
      <div className={css['secretActions']}>
        {draft.secret !== '' && <CopyButton text={draft.secret} what="secret" wide />}
        <Button
          icon="again"
          onClick={() => onChange({ secret: newSecret((bytes) => crypto.getRandomValues(bytes)) })}
        >
          Make a new one
        </Button>
      </div>
    </div>
  );
}

function Options({ draft, faults, onChange }: PartProps & { faults: Faults }) {
  return (
    <>
      <div className={css['pair']}>
        <Field label="Changes of" error={faults['origins']}>
          {(control) => (
            <select
              {...control}
              value={draft.origins}
              onChange={({ target }) => onChange({ origins: target.value === 'all' ? 'all' : 'local' })}
            >
              <option value="local">this machine</option>
              <option value="all">all devices</option>
            </select>
          )}
        </Field>
        <Field label="Deliveries a second at most" error={faults['rate_per_s']}>
          {(control) => (
            <input
              {...control}
              inputMode="numeric"
              value={draft.rate}
              onChange={(event) => onChange({ rate: event.target.value })}
            />
          )}
        </Field>
      </div>
      <label className={css['tick']}>
        <input
          type="checkbox"
          checked={draft.ordered}
          onChange={(event) => onChange({ ordered: event.target.checked })}
        />
        <span>
          Strictly in order: each delivery waits until the one before was accepted, or became a dead letter
        </span>
      </label>
      <label className={css['tick']}>
        <input
          type="checkbox"
          checked={draft.privateNetwork}
          onChange={(event) => onChange({ privateNetwork: event.target.checked })}
        />
        <span>Also deliver to addresses of a private network</span>
      </label>
    </>
  );
}
