import type { AskReply, AskStageName } from '@reverie/shared/contract/ask';
import { countOf, formatCount, formatDecimal } from '../../platform/format.ts';
import css from './Stages.module.css';

const NAMES: Readonly<Record<AskStageName, string>> = {
  fact_lookup: 'Known facts',
  query_expansion: 'Other ways to ask',
  vector_search: 'Meaning',
  keyword_fallback: 'Words',
  full_context_fallback: 'The whole namespace',
  rerank: 'Order',
};

/** How an answer came about: the stages with what they brought, and how the question was understood. */
export function Stages({ of: { stages = [], understood, found } }: { of: AskReply }) {
  if (stages.length === 0) return null;
  return (
    <details className={css['details']}>
      <summary>How it was answered</summary>
      <div className={css['scroll']}>
        <table className={css['stages']}>
          <thead>
            <tr>
              <th scope="col">Stage</th>
              <th scope="col">Candidates</th>
              <th scope="col">Time</th>
              <th scope="col">
                <span className="sr-only">Skipped</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {stages.map(({ name, candidates, latency_ms, skipped }) => (
              <tr key={name} data-skipped={skipped !== undefined}>
                <th scope="row">{NAMES[name]}</th>
                <td>{formatCount(candidates)}</td>
                <td>{formatDecimal(latency_ms, 1, 1)} ms</td>
                <td className={css['skipped']}>{skipped !== undefined && `skipped: ${skipped}`}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {understood && (
        <dl className={css['understood']}>
          <dt>Decided</dt>
          <dd>{decided(understood, found)}</dd>
          {understood.expects.length > 0 && (
            <>
              <dt>The answer has to have</dt>
              <dd>{understood.expects.map((one) => one.replaceAll('_', ' ')).join(', ')}</dd>
            </>
          )}
          {understood.queries.length > 0 && (
            <>
              <dt>Also looked for</dt>
              <dd dir="auto">{understood.queries.join(' · ')}</dd>
            </>
          )}
          {understood.abstained !== undefined && (
            <>
              <dt>Why it is not in memory</dt>
              <dd>{understood.abstained}</dd>
            </>
          )}
        </dl>
      )}
    </details>
  );
}

/** Who decided whether memory answers; where a model did, what words and meanings alone say, and what it said without support. */
function decided(
  { decided_by, signs_found, unsupported = 0 }: NonNullable<AskReply['understood']>,
  found: boolean,
): string {
  if (decided_by === 'signs') return 'By the words and meanings that were found';
  const alone = `words and meanings alone say ${signs_found === found ? 'the same' : 'otherwise'}`;
  const dropped =
    unsupported === 0
      ? ''
      : `; ${countOf(unsupported, 'sentence', 'sentences')} left out, for no memory says so`;
  return `By the language model; ${alone}${dropped}`;
}
