import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Fetched } from '../../../platform/Fetched.tsx';
import { countOf, formatCount } from '../../../platform/format.ts';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { Field } from '../../../ui/Field.tsx';
import { handOverQuery } from '../queries.ts';
import type { ActingProps } from './acting.ts';
import css from './HandOver.module.css';

const LIMITS = [500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000] as const;
const USUAL = 2_000;

/** What another agent or a colleague needs to go on, as text to be handed to them. */
export function HandOver({ session, onClose }: ActingProps) {
  const [limit, setLimit] = useState<number>(USUAL);
  const text = useQuery(handOverQuery(session.id, limit));
  return (
    <Dialog title="Hand over" isWide onClose={onClose}>
      <p>
        What was asked, decided, done and left open, with the entry that each line stands in. Made by rules
        from the session; its secrets are taken out.
      </p>
      <div className={css['tools']}>
        <Field label="As long as">
          {(control) => (
            <select {...control} value={limit} onChange={({ target }) => setLimit(Number(target.value))}>
              {LIMITS.map((one) => (
                <option key={one} value={one}>
                  {formatCount(one)} tokens
                </option>
              ))}
            </select>
          )}
        </Field>
        {text.data && <CopyButton text={text.data.markdown} what="text" wide />}
      </div>
      <Fetched of={text} lines={8}>
        {(data) => (
          <>
            <pre
              className={css['text']}
              tabIndex={0}
              aria-label="What is handed over"
              aria-busy={text.isPlaceholderData}
              dir="auto"
            >
              {data.markdown}
            </pre>
            <p className={css['soft']}>
              {countOf(data.tokens, 'token', 'tokens')};{' '}
              {countOf(data.left_out, 'entry is not quoted', 'entries are not quoted')}
              {data.redactions > 0 && `; ${countOf(data.redactions, 'secret was', 'secrets were')} taken out`}
              .
            </p>
          </>
        )}
      </Fetched>
    </Dialog>
  );
}
