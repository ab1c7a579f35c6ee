import {
  type Examination,
  examineModel,
  type ModelUse,
  stopExamining,
  useModel,
} from '@reverie/shared/contract/system/models';
import { useRef } from 'react';
import { call } from '../../platform/daemon/api.ts';
import { countOf, formatCount } from '../../platform/format.ts';
import { notify } from '../../platform/notices.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { Time } from '../../ui/Time.tsx';
import { useActing } from './acting.ts';
import { useFocusAfter, useLedTo } from './focus.ts';
import css from './ModelsView.module.css';
import {
  examinationState,
  isSame,
  listOfParts,
  lockedBy,
  modelTitle,
  type NamedModel,
  staysHere,
} from './words.ts';

interface ExaminationProps {
  examination: Examination;
  uses: readonly ModelUse[];
  onUse: (named: NamedModel) => void;
}

/** The last examination: question by question while it runs, then how the model did and what it is fit for. */
export function ExaminationCard({ examination, uses, onUse }: ExaminationProps) {
  const { status, done, total, verdict, error } = examination;
  const name = modelTitle(examination);
  const { tone, word } = examinationState(examination);
  const section = useRef<HTMLElement>(null);
  useLedTo('examination', section);
  return (
    <section
      ref={section}
      className={css['card']}
      aria-label={`Examination of ${name}`}
      tabIndex={-1}
      id="models-examination"
    >
      <div className={css['line']}>
        <h2>
          Examination of <bdi>{name}</bdi>
        </h2>
        <Badge tone={tone}>{word}</Badge>
        {examination.ended_at !== null && (
          <span className={css['soft']}>
            <Time at={examination.ended_at} />
          </span>
        )}
        <span className={css['actions']}>{status !== 'done' && <StopOrAgain of={examination} />}</span>
      </div>
      {status === 'running' && (
        <>
          <progress
            className={css['progress']}
            max={Math.max(1, total)}
            value={done}
            aria-label="Progress of the examination"
          />
          <p className={css['soft']}>
            {formatCount(done)} of {countOf(total, 'question', 'questions')} · made-up notes, nothing of yours
          </p>
        </>
      )}
      {done > 0 && <Counts of={examination} />}
      <div role="status">
        {status === 'done' && verdict !== null && <p className={css['verdict']}>{sentence(verdict)}</p>}
        {status === 'stopped' && <p className={css['text']}>It was stopped before the end.</p>}
        {status === 'failed' && <p className={css['bad']}>{error ?? 'No reason was given.'}</p>}
      </div>
      {status === 'done' && <UseIt examination={examination} uses={uses} onUse={onUse} />}
    </section>
  );
}

function Counts({ of: { right, wrong, declined_rightly, seconds_median, tokens } }: { of: Examination }) {
  const counts: readonly (readonly [label: string, count: string, tone?: string | undefined])[] = [
    ['right', formatCount(right), 'good'],
    ['wrong', formatCount(wrong), wrong > 0 ? 'bad' : undefined],
    ['rightly declined', formatCount(declined_rightly)],
    ...(seconds_median === null ? [] : [['seconds a question', formatSeconds(seconds_median)] as const]),
    ['tokens', formatCount(tokens)],
  ];
  return (
    <dl className={css['counts']}>
      {counts.map(([label, count, tone]) => (
        <div key={label} data-tone={tone}>
          <dt>{label}</dt>
          <dd>{count}</dd>
        </div>
      ))}
    </dl>
  );
}

/** One button, so that the focus stays on it when what it does changes. */
function StopOrAgain({ of: { server, name, status } }: { of: Examination }) {
  const isRunning = status === 'running';
  const act = useActing(() =>
    isRunning
      ? call(stopExamining, {})
      : call(examineModel, {
          // Whoever began it has agreed to where what is sent goes.
          body: { server, name, beyond_this_machine: true, consent: true },
        }),
  );
  const button = useFocusAfter<HTMLButtonElement>('models-examination');
  const onError = (error: Error) =>
    notify('bad', `${isRunning ? 'It was not stopped' : 'It was not begun again'}: ${error.message}`);
  return (
    <Button
      ref={button}
      aria-disabled={act.isPending}
      onClick={() => !act.isPending && act.mutate(undefined, { onError })}
    >
      {isRunning ? 'Stop' : 'Examine again'}
    </Button>
  );
}

/** What can be done with a model that was examined. */
function UseIt({ examination, uses, onUse }: ExaminationProps) {
  const { fit_for } = examination;
  const isUsed = (one: ModelUse) =>
    one.server !== null && one.name !== null && isSame(examination, { server: one.server, name: one.name });
  if (fit_for.length > 0 && fit_for.every((part) => uses.some((one) => one.part === part && isUsed(one))))
    return <p className={css['soft']}>It is used for {listOfParts(fit_for)}.</p>;
  const isFree = uses.every((one) => !fit_for.includes(one.part) || lockedBy(one) === undefined);
  const isOneStep = fit_for.length > 0 && isFree && staysHere(examination);
  return <UseButtons examination={examination} isOneStep={isOneStep} onUse={onUse} />;
}

interface UseButtonsProps extends Pick<ExaminationProps, 'examination' | 'onUse'> {
  isOneStep: boolean;
}

/** One button for what it is fit for, where that is agreed without a question; the choice for everything else. */
function UseButtons({ examination: { server, name, fit_for }, isOneStep, onUse }: UseButtonsProps) {
  const use = useActing(() => call(useModel, { body: { server, name, for: fit_for } }));
  const buttons = useFocusAfter<HTMLDivElement>('models-examination');
  const onSuccess = () => notify('good', `${name} is used for ${listOfParts(fit_for)} from now on.`);
  return (
    <div ref={buttons} className={css['buttons']}>
      {isOneStep && (
        <Button look="strong" disabled={use.isPending} onClick={() => use.mutate(undefined, { onSuccess })}>
          Use for {listOfParts(fit_for)}
        </Button>
      )}
      <Button onClick={() => onUse({ server, name })}>
        {isOneStep ? 'Choose…' : fit_for.length > 0 ? 'Use…' : 'Use anyway…'}
      </Button>
      {use.isError && (
        <p className={css['bad']} role="alert">
          Nothing was changed: {use.error.message}
        </p>
      )}
    </div>
  );
}

/** `24`, `1.8`, `0.012`: vectors take milliseconds. */
function formatSeconds(seconds: number): string {
  return String(seconds >= 10 ? Math.round(seconds) : Number(seconds.toPrecision(2)));
}

function sentence(verdict: string): string {
  const text = `${verdict.charAt(0).toUpperCase()}${verdict.slice(1)}`;
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
