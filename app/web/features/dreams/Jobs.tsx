import { cancelDream, type DreamJob } from '@reverie/shared/contract/dreams/dreams';
import { strategyWords } from '@reverie/shared/contract/dreams/strategy-words';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { call } from '../../platform/daemon/api.ts';
import { Unfetched } from '../../platform/queries/Fetched.tsx';
import { countOf, formatCount } from '../../platform/format.ts';
import { notify } from '../../platform/notices.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { Time } from '../../ui/Time.tsx';
import css from './Jobs.module.css';
import { isUnderWay, jobsQuery } from './queries.ts';
import { progressOf, stateOf, strategyState } from './words.ts';

/** Who asked for a dream, where it was not the person. */
const TRIGGERS: Readonly<Record<DreamJob['trigger'], string>> = {
  request: '',
  schedule: 'nightly · ',
  agent: 'proposed by an agent · ',
};

interface JobsProps {
  namespace: string;
  canWrite: boolean;
  onStart: () => void;
}

/** The dreams of a namespace, newest first, with live progress by strategy. */
export function Jobs({ namespace, canWrite, onStart }: JobsProps) {
  return (
    <section aria-label="Dream jobs">
      <div className={css['head']}>
        <h3>Dreams</h3>
        {canWrite && (
          <Button icon="moon" onClick={onStart}>
            Start a dream…
          </Button>
        )}
      </div>
      <JobList namespace={namespace} canWrite={canWrite} />
    </section>
  );
}

function JobList({ namespace, canWrite }: Omit<JobsProps, 'onStart'>) {
  const jobs = useQuery(jobsQuery(namespace));
  if (!jobs.data) return <Unfetched of={jobs} lines={3} />;
  if (jobs.data.length === 0) return <p className={css['soft']}>None yet.</p>;
  return (
    <ol className={css['jobs']} role="list">
      {jobs.data.map((job) => (
        <Job key={job.id} job={job} canWrite={canWrite} />
      ))}
    </ol>
  );
}

function Job({ job, canWrite }: { job: DreamJob; canWrite: boolean }) {
  const queries = useQueryClient();
  const { tone, word } = stateOf(job);
  const cancel = useMutation({
    mutationFn: () => call(cancelDream, { params: { id: job.id } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['dreams'] }),
    onError: (error) => notify('bad', `It was not cancelled: ${error.message}`),
  });
  const underWay = isUnderWay(job);
  return (
    <li className={css['job']}>
      <div className={css['line']}>
        <Badge tone={tone}>{word}</Badge>
        <span>
          {job.insights === 0 ? 'Nothing new' : `${countOf(job.insights, 'thing', 'things')} found`}
          {job.memories > 0 && ` in ${countOf(job.memories, 'note', 'notes')}`}
        </span>
        <span className={css['soft']}>
          {TRIGGERS[job.trigger]}
          <Time at={job.completed_at ?? job.started_at ?? job.created_at} />
        </span>
        {canWrite && underWay && (
          <Button disabled={cancel.isPending} onClick={() => cancel.mutate()}>
            Cancel
          </Button>
        )}
      </div>
      {job.task !== null && (
        <p dir="auto" className={css['task']}>
          “{job.task}”
        </p>
      )}
      {underWay && <progress value={progressOf(job)} aria-label="Progress of the dream" />}
      {job.error && job.error.code !== 'cancelled' && <p className={css['error']}>{job.error.message}</p>}
      <details open={job.status === 'running' ? true : undefined}>
        <summary>By kind</summary>
        <ul className={css['strategies']} role="list">
          {job.strategies.map((one) => (
            <li key={one.strategy} data-state={one.state}>
              <span>{strategyWords[one.strategy].name}</span>
              {one.state === 'running' && underWay ? (
                <progress
                  max={Math.max(1, one.total)}
                  value={one.done}
                  aria-label={`Progress of ${strategyWords[one.strategy].name}`}
                />
              ) : (
                <span className={css['soft']}>{strategyState(one, underWay)}</span>
              )}
            </li>
          ))}
        </ul>
        {/* What holds for several kinds is said once. */}
        {[...Map.groupBy(job.strategies, ({ note }) => note)].map(
          ([note, of]) =>
            note !== undefined && (
              <p key={note} className={css['soft']}>
                {of.map(({ strategy }) => strategyWords[strategy].name).join(', ')}: {note}
              </p>
            ),
        )}
        {job.sampled && (
          <p className={css['soft']}>
            There are many notes: it looked at {formatCount(job.sampled.taken)} of{' '}
            {formatCount(job.sampled.of)}.
          </p>
        )}
        {job.tokens.used > 0 && (
          <p className={css['soft']}>
            {formatCount(job.tokens.used)} of {formatCount(job.tokens.budget)} tokens of the language model
            were used.
          </p>
        )}
        {job.trigger !== 'agent' &&
          job.tokens.used === 0 &&
          job.strategies.some(({ note }) => note !== undefined) && (
            <p className={css['soft']}>
              No language model was used. <Link to="/models">Models</Link> says which can be, and what one
              would change.
            </p>
          )}
        {job.reading && job.reading.dreams_left > 0 && (
          <p className={css['soft']}>
            The language model has read {Math.round(100 * job.reading.share)} % of the namespace; about{' '}
            {countOf(job.reading.dreams_left, 'more dream reads', 'more dreams read')} the rest, for some{' '}
            {formatCount(job.reading.tokens_left)} tokens.
          </p>
        )}
      </details>
    </li>
  );
}
