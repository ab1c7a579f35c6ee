import { useState, type SubmitEvent } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { Field } from '../../../ui/Field.tsx';
import { Beyond } from '../Beyond.tsx';
import { readNamed } from './named-draft.ts';
import { useExamining } from '../examining.ts';
import css from '../ModelsView.module.css';
import { type NamedModel, staysHere } from '../words.ts';

const EXAMINED = ['the made-up questions and notes of the examination, nothing of your memories'];

/** A server that is not found by itself: on another port, behind a key, or on another machine. */
export function Elsewhere({ isBusy, onUse }: { isBusy: boolean; onUse: (named: NamedModel) => void }) {
  const [draft, setDraft] = useState({ server: '', name: '' });
  const [agreed, setAgreed] = useState(false);
  const [tried, setTried] = useState(false);
  const examine = useExamining();
  const reading = readNamed(draft);
  const faults = reading.ok || !tried ? {} : reading.faults;
  const isBeyond = reading.ok && !staysHere(reading.named);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setTried(true);
    if (reading.ok) onUse(reading.named);
  };
  const onExamine = () => {
    setTried(true);
    if (reading.ok) examine.mutate({ ...reading.named, isBeyond });
  };
  return (
    <details className={css['more']}>
      <summary>Another server</summary>
      <form className={css['form']} onSubmit={submit} noValidate aria-label="Another server">
        <p className={css['soft']}>
          One that speaks as OpenAI’s does, on another port or another machine. Its key, if it wants one, is
          kept with <code>reverie secret set llm</code>.
        </p>
        <div className={css['fields']}>
          <Field label="Address" error={faults.server}>
            {(control) => (
              <input
                {...control}
                type="url"
                placeholder="http://127.0.0.1:8081"
                autoComplete="off"
                spellCheck={false}
                value={draft.server}
                onChange={(event) => {
                  setDraft({ ...draft, server: event.target.value });
                  setAgreed(false);
                }}
              />
            )}
          </Field>
          <Field label="Model, as its server names it" error={faults.name}>
            {(control) => (
              <input
                {...control}
                placeholder="qwen3.5:4b"
                autoComplete="off"
                spellCheck={false}
                value={draft.name}
                onChange={(event) => setDraft({ ...draft, name: event.target.value })}
              />
            )}
          </Field>
        </div>
        {isBeyond && (
          <Beyond server={reading.named.server} sent={EXAMINED} agreed={agreed} onAgree={setAgreed} />
        )}
        <div className={css['buttons']}>
          <Button disabled={isBusy || examine.isPending || (isBeyond && !agreed)} onClick={onExamine}>
            Examine
          </Button>
          <Button type="submit">Use…</Button>
        </div>
      </form>
    </details>
  );
}
