import type { AskReply, Certainty, Citation } from '@reverie/shared/contract/search/ask';
import { EVERY_NAMESPACE } from '@reverie/shared/contract/fields';
import type { Elsewhere } from '@reverie/shared/contract/search/search';
import { Link } from '@tanstack/react-router';
import { countOf } from '../../platform/format.ts';
import { Button } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Icon, type IconName } from '../../ui/Icon.tsx';
import type { MarkedText } from '../../ui/text/marked.ts';
import css from './Answer.module.css';
import { Passage } from './Passage.tsx';
import { Quotation } from './Quotation.tsx';
import { isSaid, quotedIn, wordsOf } from './quote.ts';
import { Stages } from './Stages.tsx';

const NO_WORDS: MarkedText = { text: '', marks: [] };

interface Asked {
  question: string;
  namespace: string;
  day: string | undefined;
}

interface AnswerProps {
  of: AskReply;
  asked: Asked;
  onAgain: () => void;
  isAsking: boolean;
}

interface Level {
  label: string;
  icon: IconName;
  /** Left out where the answer itself says so. */
  what?: string;
  more?: string;
}

/** How each certainty is told in words; its form is in the style sheet. */
const LEVELS: Readonly<Record<Certainty, Level>> = {
  sure: { label: 'Answer', icon: 'check', what: 'Answer' },
  likely: {
    label: 'Likely answer',
    icon: 'ask',
    what: 'Likely',
    more: 'Read the quotes: it fits well, but may be about something else, or out of date.',
  },
  unsure: {
    label: 'Found in your notes',
    icon: 'search',
    what: 'Found in your notes',
    more: 'No answer, only what comes closest, in its own words.',
  },
  none: { label: 'No answer', icon: 'search' },
};

/** An answer with what it rests on, each said once, and how it came about. */
export function Answer({ of: reply, asked, onAgain, isAsking }: AnswerProps) {
  const { certainty, citations, model, answer, elsewhere = [] } = reply;
  const { icon, what, more, label } = LEVELS[certainty];
  const isOfAll = asked.namespace === EVERY_NAMESPACE;
  const isQuoting = certainty === 'unsure' && citations.length > 0;
  const isWorded = certainty === 'sure' || certainty === 'likely';
  // Without a model the same question finds the same.
  const isDecided = reply.understood?.decided_by === 'model';
  const mayDiffer = isDecided || reply.understood?.model_failed !== undefined;
  return (
    <div className={css['result']} aria-busy={isAsking}>
      <section className={css['answer']} data-certainty={certainty} aria-label={label} aria-live="polite">
        {what !== undefined && (
          <p className={css['level']}>
            <Icon name={icon} /> <strong>{what}</strong> {more !== undefined && <span>{more}</span>}
          </p>
        )}
        {isQuoting ? (
          <Found reply={reply} isOfAll={isOfAll} />
        ) : (
          <div className={css['text']}>
            <Passage text={answer} marks={NO_WORDS.marks} namespace={asked.namespace} />
          </div>
        )}
        {(mayDiffer || asked.day !== undefined) && (
          <div className={css['foot']}>
            <span>
              {model !== null && `Put into words by ${model}. `}
              {isDecided && !reply.found && 'Decided by the language model. '}
              {asked.day !== undefined && `As it was known on ${asked.day}.`}
            </span>
            {isWorded && <CopyButton text={answer} what="answer" />}
            {mayDiffer && (
              <Button icon="again" disabled={isAsking} onClick={onAgain}>
                Ask again
              </Button>
            )}
          </div>
        )}
      </section>
      {reply.understood?.model_failed !== undefined && (
        <p className={css['soft']} role="status">
          The language model gave no answer: {reply.understood.model_failed}
        </p>
      )}
      {!isQuoting && citations.length > 0 && (
        <section aria-label="Sources">
          <h2 className={css['heading']}>From your memories</h2>
          <ol className={css['quotes']}>
            {citations.map((citation, at) => (
              <Quotation
                key={idOf(citation)}
                citation={citation}
                words={unlessSaid(answer, wordsOf(citation))}
                place={model === null ? undefined : at + 1}
                isOfAll={isOfAll}
                isNewest={isNewestOf(citation, citations)}
              />
            ))}
          </ol>
        </section>
      )}
      <Further elsewhere={elsewhere} asked={asked} isFound={isWorded} />
      <Stages of={reply} />
    </div>
  );
}

function unlessSaid(answer: string, words: MarkedText): MarkedText {
  return isSaid(answer, words) ? NO_WORDS : words;
}

function idOf({ namespace, key }: Citation): string {
  return JSON.stringify([namespace, key]);
}

function isNewestOf(citation: Citation, among: readonly Citation[]): boolean {
  const dayOf = ({ date, noted_at, updated_at }: Citation) => date ?? noted_at ?? updated_at;
  return among.length > 1 && among.every((other) => other === citation || dayOf(other) < dayOf(citation));
}

/** What comes closest without a model: those that the answer quotes, and behind a fold what fits less well. */
function Found({ reply: { answer, citations }, isOfAll }: { reply: AskReply; isOfAll: boolean }) {
  const { quoted, rest } = quotedIn(answer, citations);
  const [shown, folded] =
    quoted.length > 0 ? [quoted, rest] : [citations.map((citation) => ({ citation, before: '' })), []];
  return (
    <>
      <ol className={css['quotes']}>
        {shown.map(({ citation, before }) => (
          <Quotation
            key={idOf(citation)}
            citation={citation}
            words={wordsOf(citation)}
            before={before}
            isOfAll={isOfAll}
            isNewest={isNewestOf(
              citation,
              shown.map((one) => one.citation),
            )}
          />
        ))}
      </ol>
      {folded.length > 0 && (
        <details className={css['rest']}>
          <summary>{countOf(folded.length, 'note that fits', 'notes that fit')} less well</summary>
          <ol className={css['quotes']}>
            {folded.map((citation) => (
              <Quotation
                key={idOf(citation)}
                citation={citation}
                words={wordsOf(citation)}
                isOfAll={isOfAll}
                isNewest={false}
              />
            ))}
          </ol>
        </details>
      )}
    </>
  );
}

interface FurtherProps {
  elsewhere: readonly Elsewhere[];
  asked: Asked;
  isFound: boolean;
}

/** Where it was looked, and where else one may look. */
function Further({ elsewhere, asked: { namespace, question, day }, isFound }: FurtherProps) {
  if (isFound) return null;
  return (
    <p className={css['soft']}>
      {namespace === EVERY_NAMESPACE ? (
        'Looked in all namespaces. '
      ) : (
        <>
          Looked in <bdi>{namespace}</bdi> only:{' '}
          {elsewhere.map((other) => (
            <span key={other.namespace}>
              <Link to="/ask" search={{ namespace: other.namespace, q: question, day }}>
                in <bdi>{other.namespace}</bdi> {other.count === 1 ? 'one fits' : `${other.count} fit`} better
              </Link>
              ,{' '}
            </span>
          ))}
          <Link to="/ask" search={{ namespace: EVERY_NAMESPACE, q: question, day }}>
            ask all namespaces
          </Link>
          .{' '}
        </>
      )}
      <Link to="/memories" search={{ namespace, q: question }}>
        Search for it
      </Link>{' '}
      to see what comes near, or ask in other words.
    </p>
  );
}
