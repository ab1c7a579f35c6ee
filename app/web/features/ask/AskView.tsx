import { Query } from '@reverie/shared/contract/fields';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState, type ReactNode, type SubmitEvent } from 'react';
import { useGo, usePlace } from '../../platform/place.ts';
import { allows, session } from '../../platform/daemon/session.ts';
import { useShortcuts } from '../../platform/shortcuts.ts';
import { useStore } from '../../platform/store.ts';
import { Trouble } from '../../platform/Trouble.tsx';
import { Column } from '../../ui/Column.tsx';
import { Button } from '../../ui/Button.tsx';
import { Banner, Message, Skeleton } from '../../ui/Message.tsx';
import { Answer } from './Answer.tsx';
import css from './AskView.module.css';
import { askQuery, isDay } from './queries.ts';

interface AskProps {
  /** Undefined while they are not known. */
  namespaces: readonly string[] | undefined;
  /** `*` for every one. */
  namespace: string;
  /** Below everything. */
  children?: ReactNode;
}

/** Asks memory a question: the answer with what it quotes, and how it came about. */
export default function AskView({ namespaces, namespace, children }: AskProps) {
  const place = usePlace();
  const question = place.q ?? '';
  useEffect(() => {
    document.title = question === '' ? 'Ask · Reverie' : `${question} · Reverie`;
  }, [question]);
  return (
    <Column>
      <h1 id="ask-title" tabIndex={-1}>
        Ask your memory
      </h1>
      <Form
        key={`${namespace} ${question} ${place.day ?? ''}`}
        namespaces={namespaces ?? []}
        namespace={namespace}
      />
      {question === '' ? (
        <Start isEmpty={namespaces?.length === 0} />
      ) : (
        <Result namespace={namespace} question={question} day={place.day} />
      )}
      {children}
    </Column>
  );
}

function Form({ namespaces, namespace }: { namespaces: readonly string[]; namespace: string }) {
  const place = usePlace();
  const go = useGo('/ask');
  const box = useRef<HTMLTextAreaElement>(null);
  const [question, setQuestion] = useState(place.q ?? '');
  const [day, setDay] = useState(place.day ?? '');
  /** What held on a day is asked for seldom: the field waits behind a word. */
  const [isPast, setPast] = useState(day !== '');
  const [chosen, setChosen] = useState(namespace);
  const allowed = Query.safeParse(question.trim());
  const tooLong = !allowed.success && question.trim() !== '';
  useShortcuts({ '/': () => box.current?.focus() });
  const ask = (event?: SubmitEvent) => {
    event?.preventDefault();
    if (allowed.success) go({ q: question.trim(), namespace: chosen, day: isDay(day) ? day : undefined });
  };
  return (
    <form className={css['form']} onSubmit={ask} aria-label="Question">
      <textarea
        ref={box}
        aria-label="Question"
        aria-invalid={tooLong ? true : undefined}
        dir="auto"
        rows={1}
        autoFocus={question === ''}
        aria-keyshortcuts="/"
        placeholder="When does my passport expire?"
        value={question}
        onChange={(event) => setQuestion(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) {
            event.preventDefault();
            ask();
          }
        }}
      />
      {tooLong && (
        <p className={css['error']} role="alert">
          The question {allowed.error.issues[0]?.message ?? 'is not valid'}
        </p>
      )}
      <div className={css['line']}>
        <label className={css['choice']}>
          <span className={css['in']}>in</span>
          <select
            aria-label="In the namespace"
            dir="auto"
            value={chosen}
            onChange={(event) => setChosen(event.target.value)}
          >
            <option value="*">all namespaces</option>
            {[...new Set([chosen, ...namespaces])]
              .filter((name) => name !== '*')
              .map((name) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
          </select>
        </label>
        {isPast ? (
          <label className={css['choice']}>
            as it was known on
            <input
              aria-label="As it was known on"
              type="date"
              autoFocus={day === ''}
              value={day}
              onChange={(event) => setDay(event.target.value)}
            />
          </label>
        ) : (
          <Button look="quiet" onClick={() => setPast(true)}>
            As of a day…
          </Button>
        )}
        <span className={css['gap']} />
        <Button type="submit" look="strong" disabled={!allowed.success}>
          Ask
          <kbd aria-hidden="true">Enter</kbd>
        </Button>
      </div>
    </form>
  );
}

function Result(asked: { namespace: string; question: string; day: string | undefined }) {
  const { data, error, isError, isFetching, refetch } = useQuery(askQuery(asked));
  if (isError && !data) return <Trouble error={error} retry={() => void refetch()} />;
  if (!data)
    return isFetching ? (
      <Skeleton lines={6} />
    ) : (
      <Banner tone="warn">This question cannot be asked: shorten it.</Banner>
    );
  return <Answer of={data} asked={asked} onAgain={() => void refetch()} isAsking={isFetching} />;
}

function Start({ isEmpty }: { isEmpty: boolean }) {
  const go = useGo('/memories');
  const canWrite = allows(useStore(session), 'write');
  if (isEmpty)
    return (
      <Message icon="ask" title="Nothing is remembered yet">
        <p>Answers come from what is remembered, word for word. Write the first memory, and ask for it.</p>
        {canWrite && (
          <Button icon="plus" look="strong" onClick={() => go({ mode: 'new' })}>
            Write a memory
          </Button>
        )}
      </Message>
    );
  return (
    <Message icon="ask" title="Answers come from what is remembered, word for word">
      <p>
        Each one names the memories it is from. Where none has the answer, you are told so. It needs no
        language model and no internet.
      </p>
    </Message>
  );
}
