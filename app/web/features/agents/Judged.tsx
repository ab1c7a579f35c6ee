import {
  type EvaluatedCase,
  type Evaluation,
  evaluateRecalls,
} from '@reverie/shared/contract/agents/recalls';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { call } from '../../platform/daemon/api.ts';
import { countOf, formatCount } from '../../platform/format.ts';
import { notify } from '../../platform/notices.ts';
import { Button } from '../../ui/Button.tsx';
import { Banner } from '../../ui/Message.tsx';
import { Time } from '../../ui/Time.tsx';
import css from './AgentsView.module.css';
import { rankWords } from './words.ts';

/** What was judged: how much of it is still right, and what is not. */
export function Judged({ cases, last }: { cases: number; last: Evaluation | null }) {
  const queries = useQueryClient();
  const look = useMutation({
    mutationFn: () => call(evaluateRecalls, {}),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['recalls'] }),
    onError: ({ message }) => notify('bad', `It could not be looked for: ${message}.`),
  });
  const worse = last?.worse ?? [];
  const alsoWrong = last?.wrong.filter((one) => !worse.some((other) => isSame(one, other))) ?? [];
  return (
    <section className={css['judged']} aria-label="What you rated">
      {worse.length > 0 && (
        <Banner tone="warn">
          {countOf(worse.length, 'memory that you rated is', 'memories that you rated are')} harder to find
          than the time before.
        </Banner>
      )}
      <div className={css['standing']}>
        <p>
          {last === null
            ? `You rated ${countOf(cases, 'memory', 'memories')}; not checked again yet.`
            : `Of ${countOf(last.cases, 'memory', 'memories')} that you rated, ${formatCount(last.right)} ${last.right === 1 ? 'is' : 'are'} still found as you want`}
          {last !== null && (
            <>
              {', '}
              <Time at={last.at} />
            </>
          )}
        </p>
        <Button icon="again" disabled={look.isPending} onClick={() => look.mutate()}>
          {look.isPending ? 'Looking…' : 'Look again'}
        </Button>
      </div>
      <Cases label="Worse than before" cases={worse} />
      <Cases label={worse.length > 0 ? 'Wrong, as before' : 'Not as it should be'} cases={alsoWrong} />
    </section>
  );
}

const isSame = (a: EvaluatedCase, b: EvaluatedCase) => a.recall === b.recall && a.key === b.key;

function Cases({ label, cases }: { label: string; cases: readonly EvaluatedCase[] }) {
  if (cases.length === 0) return null;
  return (
    <details className={css['cases']}>
      <summary>
        {label}: {formatCount(cases.length)}
      </summary>
      <ul>
        {cases.map((one) => (
          <li key={`${one.recall} ${one.namespace} ${one.key}`}>
            <Link to="/memories" search={{ namespace: one.namespace, key: one.key }}>
              {one.title}
            </Link>
            <small>
              for “{one.query}”: {rankWords(one)}
            </small>
          </li>
        ))}
      </ul>
    </details>
  );
}
