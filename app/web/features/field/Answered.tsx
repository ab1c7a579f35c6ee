import type { AskReply } from '@reverie/shared/contract/search/ask';
import { Icon } from '../../ui/Icon.tsx';
import css from './Answered.module.css';

interface AnsweredProps {
  /** Undefined while it is not there. */
  of: AskReply | undefined;
  error: Error | null;
}

/** The answer to a question, where it was asked. What is not sure is not said here: its quotes stand below, and speak for themselves. */
export function Answered({ of, error }: AnsweredProps) {
  if (error)
    return (
      <p className={css['answer']} role="status">
        Asking did not work: {error.message}
      </p>
    );
  return (
    <section className={css['answer']} aria-label="Answer" aria-live="polite" data-certainty={of?.certainty}>
      {of ? <Told of={of} /> : <p className={css['level']}>Asking your memory…</p>}
    </section>
  );
}

function Told({ of: { certainty, answer, model } }: { of: AskReply }) {
  switch (certainty) {
    case 'sure':
    case 'likely':
      return (
        <>
          <p className={css['level']}>
            <Icon name={certainty === 'sure' ? 'check' : 'ask'} />{' '}
            <strong>{certainty === 'sure' ? 'Answer' : 'Likely'}</strong>
            {model !== null && <span>put into words by {model}</span>}
          </p>
          <p className={css['text']} dir="auto">
            {answer}
          </p>
        </>
      );
    case 'unsure':
      return (
        <p className={css['level']}>
          <Icon name="warn" /> <strong>Not sure</strong> <span>This comes closest:</span>
        </p>
      );
    case 'none':
      return (
        <>
          <p className={css['level']}>
            <Icon name="search" /> <strong>Not in memory</strong> <span>Looked in all namespaces.</span>
          </p>
          <p dir="auto">{answer}</p>
        </>
      );
  }
}
