import type { AskReply, Certainty, Citation } from '@reverie/shared/contract/ask';
import { EVERY_NAMESPACE } from '@reverie/shared/contract/fields';
import { Link } from '@tanstack/react-router';
import { countOf, formatDate } from '../../platform/format.ts';
import { markedPassage } from '../../platform/passage.ts';
import { Button } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Icon, type IconName } from '../../ui/Icon.tsx';
import type { MarkedText } from '../../ui/marked.ts';
import { WrittenTime } from '../../ui/Time.tsx';
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

/** Below it 95 % of pairs of a question and a memory have nothing to do with each other (0030). */
const FITS = 0.2;

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
    label: 'Found in your notes',
    icon: 'warn',
    what: 'Found in your notes',
    more: 'This is no answer, only what comes closest in memory.',
  },
  none: { label: 'No answer', icon: 'search', what: 'Not in memory' },
};

/** Whose words an answer is in; a model may have decided that there is none. */
function wordedBy({ found, model, understood }: AskReply): string {
  if (!found && understood?.decided_by === 'model') return 'Decided by the language model';
  return model === null ? 'In the words of your memories' : `Put into words by ${model}`;
}

/** An answer, what it quotes, and how it came about. */
export function Answer({ of: reply, asked, onAgain, isAsking }: AnswerProps) {
  const { citations, certainty, latency_ms, model } = reply;
  const { icon, what, more, label } = LEVELS[certainty];
  // A model names only what it quotes; without one the last of them may be mere neighbours.
  const isFitting = ({ score }: Citation, at: number) => model !== null || at === 0 || score >= FITS;
  const fitting = citations.filter(isFitting);
  const rest = citations.filter((citation, at) => !isFitting(citation, at));
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
            {wordedBy(reply)} · {latency_ms} ms
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
          <h2 className={css['heading']}>
            {certainty === 'unsure' ? 'What comes close' : 'From your memories'}
          </h2>
          <Citations citations={fitting} isModel={model !== null} />
          {rest.length > 0 && (
            <details className={css['rest']}>
              <summary>{countOf(rest.length, 'memory', 'memories')} that hardly fit</summary>
              <Citations citations={rest} isModel={model !== null} />
            </details>
          )}
        </section>
      )}
      {(certainty === 'none' || certainty === 'unsure') && (
        <p className={css['soft']}>
          {asked.namespace === EVERY_NAMESPACE ? (
            'Looked in all namespaces. '
          ) : (
            <>
              Looked in <bdi>{asked.namespace}</bdi> only:{' '}
              <Link to="/ask" search={{ namespace: EVERY_NAMESPACE, q: asked.question, day: asked.day }}>
                ask all namespaces
              </Link>
              .{' '}
            </>
          )}
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

function Citations({ citations, isModel }: { citations: readonly Citation[]; isModel: boolean }) {
  return (
    <ol className={css['citations']}>
      {citations.map((citation, at) => (
        <One
          key={`${citation.namespace} ${citation.key}`}
          citation={citation}
          place={isModel ? at + 1 : undefined}
        />
      ))}
    </ol>
  );
}

/** One memory that is quoted; `place` where the answer names it by its number. */
function One({ citation, place }: { citation: Citation; place: number | undefined }) {
  const { passage, value, quote, date, noted_at } = citation;
  const told = date ?? noted_at;
  return (
    <li className={css['citation']}>
      <div className={css['line']}>
        {place !== undefined && <span className={css['place']}>{place}</span>}
        <Link
          to="/memories"
          search={{ namespace: citation.namespace, key: citation.key }}
          className={css['title']}
        >
          <bdi>{citation.title === '' ? citation.key : citation.title}</bdi>
        </Link>
        <span className={css['soft']}>
          {told === undefined ? <WrittenTime at={citation.updated_at} /> : formatDate(told)}
        </span>
        <bdi className={css['key']}>{citation.key}</bdi>
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
