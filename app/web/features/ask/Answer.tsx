import type { AskReply, Certainty, Citation } from '@reverie/shared/contract/ask';
import { Link } from '@tanstack/react-router';
import { countOf, formatExact } from '../../platform/format.ts';
import { markedPassage } from '../../platform/passage.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Icon, type IconName } from '../../ui/Icon.tsx';
import type { MarkedText } from '../../ui/marked.ts';
import { Time } from '../../ui/Time.tsx';
import { Why } from '../why/Why.tsx';
import css from './Answer.module.css';
import { Passage } from './Passage.tsx';
import { partsOf, standsIn } from './quote.ts';
import { Stages } from './Stages.tsx';

const NO_MARKS: MarkedText['marks'] = [];

interface AnswerProps {
  of: AskReply;
  asked: { question: string; namespace: string; day: string | undefined };
  onAgain: () => void;
  isAsking: boolean;
}

interface Level {
  label: string;
  icon: IconName;
  what: string;
  more?: string;
}

/** How each certainty is told in words; its form is in the style sheet. */
const LEVELS: Readonly<Record<Certainty, Level>> = {
  sure: { label: 'Answer', icon: 'check', what: 'Answer' },
  likely: {
    label: 'Likely answer',
    icon: 'ask',
    what: 'Likely',
    more: 'Read the quote: it fits well, but may be about something else, or out of date.',
  },
  unsure: {
    label: 'No answer, only what comes close',
    icon: 'warn',
    what: 'Not sure',
    more: 'This is no answer, only what comes closest in memory.',
  },
  none: { label: 'No answer', icon: 'search', what: 'Not in memory' },
};

/** An answer, what it quotes, and how it came about. */
export function Answer({ of: reply, asked, onAgain, isAsking }: AnswerProps) {
  const { citations, certainty, found, latency_ms, model, understood } = reply;
  const { icon, what, more, label } = LEVELS[certainty];
  const decidedBy = understood?.decided_by;
  return (
    <div className={css['result']} aria-busy={isAsking}>
      <section className={css['answer']} data-certainty={certainty} aria-label={label} aria-live="polite">
        <p className={css['level']}>
          <Icon name={icon} /> <strong>{what}</strong> {more !== undefined && <span>{more}</span>}
        </p>
        {partsOf(reply.answer).map(({ text, isOlder }) => (
          <div key={text} className={css[isOlder ? 'older' : 'text']}>
            <Passage text={text} marks={NO_MARKS} namespace={asked.namespace} />
          </div>
        ))}
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
          {certainty !== 'unsure' && <CopyButton text={reply.answer} what="answer" />}
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
      {(certainty === 'none' || certainty === 'unsure') && (
        <p className={css['soft']}>
          <Link to="/memories" search={{ namespace: asked.namespace, q: asked.question }}>
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
  const { passage, value, quote } = citation;
  return (
    <li className={css['citation']}>
      <div className={css['line']}>
        <span className={css['place']}>{place}</span>
        <Link
          to="/memories"
          search={{ namespace: citation.namespace, key: citation.key }}
          className={css['key']}
        >
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
      <blockquote className={css['value']}>
        <Passage
          {...(passage && standsIn(value, quote) ? markedPassage(passage) : { text: quote, marks: NO_MARKS })}
          namespace={citation.namespace}
        />
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
