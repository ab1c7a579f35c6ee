import { judgeRecall, type Recall, type Verdict, verdicts } from '@reverie/shared/contract/agents/recalls';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ToggleGroup } from 'radix-ui';
import { call } from '../../platform/daemon/api.ts';
import { formatCount } from '../../platform/format.ts';
import { notify } from '../../platform/notices.ts';
import choice from '../../ui/Choice.module.css';
import { Item } from '../../ui/lists/Items.tsx';
import { Time } from '../../ui/Time.tsx';
import css from './AgentsView.module.css';
import { doneBy, goneSince } from './words.ts';

type Recalled = Recall['memories'][number];

/** One time that an agent was shown memories: what it looked for, and each of them with what came of it. */
export function RecallItem({ of: recall }: { of: Recall }) {
  const { query, tokens, namespace, memories } = recall;
  const gone = goneSince(recall);
  return (
    <Item
      name={doneBy(recall)}
      more={
        <>
          <Time at={recall.at} />
          {namespace === '*' ? ' in all namespaces' : ` in ${namespace}`}
          {` · ${formatCount(tokens)} tokens`}
          {gone !== '' && ` · ${gone}`}
        </>
      }
    >
      {query !== null && <p className={css['query']}>{query}</p>}
      <ul className={css['memories']}>
        {memories.map((memory) => (
          <li key={`${memory.namespace} ${memory.key}`}>
            <div className={css['words']}>
              <Link to="/memories" search={{ namespace: memory.namespace, key: memory.key }}>
                {memory.title}
              </Link>
              <small title={memory.score === null ? undefined : `Score ${memory.score.toFixed(2)}`}>
                {memory.reason}
              </small>
            </div>
            <Verdicts recall={recall} memory={memory} />
          </li>
        ))}
      </ul>
    </Item>
  );
}

const WORDS: Readonly<Record<Verdict, string>> = { helped: 'Helped', misled: 'Misled' };

/** Says what came of a memory; the same once more takes it back. */
function Verdicts({ recall, memory: { key, title, verdict } }: { recall: Recall; memory: Recalled }) {
  const queries = useQueryClient();
  const judge = useMutation({
    mutationFn: (said: Verdict | null) =>
      call(judgeRecall, { params: { id: recall.id }, body: { key, verdict: said } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['recalls'] }),
    onError: ({ message }) => notify('bad', `Not saved: ${message}.`),
  });
  // What was pressed is shown at once; it falls back where it could not be kept.
  const shown = judge.isPending ? judge.variables : verdict;
  return (
    <ToggleGroup.Root
      type="single"
      className={choice['group']}
      aria-label={`What came of ${title}`}
      value={shown ?? ''}
      onValueChange={(value) => judge.mutate(verdicts.find((one) => one === value) ?? null)}
    >
      {verdicts.map((one) => (
        <ToggleGroup.Item key={one} value={one} className={choice['one']}>
          {WORDS[one]}
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  );
}
