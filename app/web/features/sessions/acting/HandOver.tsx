import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Fetched } from '../../../platform/queries/Fetched.tsx';
import { countOf, formatCount } from '../../../platform/format.ts';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { Field } from '../../../ui/Field.tsx';
import { handOverQuery } from '../queries.ts';
import type { ActingProps } from './acting.ts';
import css from './HandOver.module.css';

const LIMITS = [500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000] as const;
const USUAL = 2_000;

/** The text as a person reads it, without the ids of entries that an agent looks up. */
function withoutIds(markdown: string): string {
  return markdown.replaceAll(/ \(ent_[^)\s]*\)$/gmu, '').replace(/^Each line names its entry\. /mu, '');
}

/** What another agent or a colleague needs to go on, as text to be handed to them. */
export function HandOver({ session, onClose }: ActingProps) {
  const [limit, setLimit] = useState<number>(USUAL);
  const text = useQuery(handOverQuery(session.id, limit));
  return (
    <Dialog title="Hand over" isWide onClose={onClose}>
      <p>
        What was asked, decided, done and left open, in the words of the session. Its secrets are taken out.
        The text that you copy also names the entry behind each line, so that an agent can look it up.
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
              {withoutIds(data.markdown)}
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
