import type { AskReply, Citation } from '@reverie/shared/contract/ask';
import { Link } from '@tanstack/react-router';
import { countOf, formatExact } from '../../platform/format.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Time } from '../../ui/Time.tsx';
import { Why } from '../why/Why.tsx';
import css from './Answer.module.css';
import { quoted } from './quote.ts';
import { Stages } from './Stages.tsx';

interface AnswerProps {
  of: AskReply;
  asked: { question: string; namespace: string; day: string | undefined };
  onAgain: () => void;
  isAsking: boolean;
}

/** An answer, what it quotes, and how it came about. */
export function Answer({ of: reply, asked, onAgain, isAsking }: AnswerProps) {
  const { citations, found, latency_ms, model, understood } = reply;
  const decidedBy = understood?.decided_by;
  return (
    <div className={css['result']} aria-busy={isAsking}>
      <section className={css['answer']} data-found={found} aria-label="Answer" aria-live="polite">
        {!found && (
          <p className={css['not']}>
            <Icon name="search" /> Not in memory
          </p>
        )}
        <p className={css['text']} dir="auto">
          {reply.answer}
        </p>
        <div className={css['foot']}>
          <span>
            {!found && decidedBy === 'model'
              ? 'Decided by the language model'
              : model === null
                ? 'In the words of your memories'
                : `Put into words by ${model}`}{' '}
            · {latency_ms} ms
            {asked.day !== undefined && <> · as it was known on {asked.day}</>}
          </span>
          <CopyButton text={reply.answer} what="answer" />
          <Button icon="again" disabled={isAsking} onClick={onAgain}>
            Ask again
          </Button>
        </div>
      </section>
      {reply.understood?.model_failed !== undefined && (
        <p className={css['soft']} role="status">
          The language model gave no answer: {reply.understood.model_failed}
        </p>
      )}
      {citations.length > 0 && (
        <section aria-label="Citations">
          <h2 className={css['heading']}>{countOf(citations.length, 'memory', 'memories')}</h2>
          <ol className={css['citations']}>
            {citations.map((citation, at) => (
              <One
                key={`${citation.namespace} ${citation.key}`}
                citation={citation}
                place={at + 1}
                isScored={model === null}
              />
            ))}
          </ol>
        </section>
      )}
      {!found && (
        <p className={css['soft']}>
          <Link to="/" search={{ namespace: asked.namespace, q: asked.question }}>
            Search for it
          </Link>{' '}
          to see what comes near, or ask in other words.
        </p>
      )}
      <Stages of={reply} />
    </div>
  );
}

interface OneProps {
  citation: Citation;
  place: number;
  /** The score is that of the signs: it says nothing of what a model chose. */
  isScored: boolean;
}

function One({ citation, place, isScored }: OneProps) {
  const { before, quote, after } = quoted(citation.value, citation.quote);
  return (
    <li className={css['citation']}>
      <div className={css['line']}>
        <span className={css['place']}>{place}</span>
        <Link to="/" search={{ namespace: citation.namespace, key: citation.key }} className={css['key']}>
          <bdi>{citation.key}</bdi>
        </Link>
        {isScored && (
          <Badge
            tone={citation.score >= 0.5 ? 'good' : 'plain'}
          >{`${Math.round(citation.score * 100)} %`}</Badge>
        )}
        <span className={css['soft']}>
          {citation.date === undefined ? <Time at={citation.updated_at} /> : formatExact(citation.date)}
        </span>
      </div>
      <blockquote className={css['value']} dir="auto">
        {before}
        {quote !== '' && <mark>{quote}</mark>}
        {after}
      </blockquote>
      {citation.why && (
        <details className={css['details']}>
          <summary>Why this result</summary>
          <Why {...citation.why} />
        </details>
      )}
    </li>
  );
}
