import type { AskReply, AskStageName } from '@reverie/shared/contract/search/ask';
import { countOf, formatCount, formatDecimal } from '../../platform/format.ts';
import css from './Stages.module.css';

const NAMES: Readonly<Record<AskStageName, string>> = {
  query_expansion: 'Other ways to ask',
  vector_search: 'Meaning',
  keyword_fallback: 'Words',
  full_context_fallback: 'The whole namespace',
  rerank: 'Order',
  fact_lookup: 'Facts in them',
};

/** How an answer came about: the stages with what they brought, and how the question was understood. */
export function Stages({ of: { stages = [], understood, latency_ms, answer } }: { of: AskReply }) {
  if (stages.length === 0) return null;
  return (
    <details className={css['details']}>
      <summary>How it was answered</summary>
      <p className={css['skipped']}>In {formatCount(latency_ms)} ms.</p>
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
          <dd>{decided(understood)}</dd>
          {understood.queries.length > 0 && (
            <>
              <dt>Also looked for</dt>
              <dd dir="auto">{understood.queries.join(' · ')}</dd>
            </>
          )}
          {understood.abstained !== undefined && understood.abstained !== answer && (
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

/** Who decided whether memory answers; where a model did, what it said without support, and what it was not shown. */
function decided({
  decided_by,
  unsupported = 0,
  kept_from_model: kept = 0,
}: NonNullable<AskReply['understood']>): string {
  if (decided_by === 'search') return 'By search alone: it finds what is closest';
  const dropped = `; ${countOf(unsupported, 'sentence', 'sentences')} left out, for no memory says so`;
  const hidden = `; it was not shown ${countOf(kept, 'memory', 'memories')} of namespaces that are kept from it`;
  return `By the language model${unsupported > 0 ? dropped : ''}${kept > 0 ? hidden : ''}`;
}
