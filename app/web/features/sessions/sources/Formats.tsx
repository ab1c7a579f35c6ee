import { agentTitle } from '@reverie/shared/contract/sessions/coding-agents';
import { useQuery } from '@tanstack/react-query';
import { Unfetched } from '../../../platform/queries/Fetched.tsx';
import { countOf, formatCount } from '../../../platform/format.ts';
import { Badge } from '../../../ui/Badge.tsx';
import { Time } from '../../../ui/Time.tsx';
import { formatsQuery } from '../queries.ts';
import { unreadWords } from '../words.ts';
import css from './SourcesView.module.css';

/** Which kinds of records were met, which of them are not known, and how many lines could not be read. */
export function Formats() {
  const met = useQuery(formatsQuery);
  if (!met.data) return <Unfetched of={met} lines={3} />;
  const { data } = met;
  if (data.formats.length === 0) return null;
  const unknown = data.formats.filter(({ known }) => !known);
  return (
    <section aria-label="Formats that were met" className={css['part']}>
      <h2>What was met in the logs</h2>
      <p className={css['soft']}>
        {unknown.length === 0
          ? 'Every kind of record is known.'
          : `${countOf(unknown.length, 'kind of record is', 'kinds of records are')} not known to this version. ` +
            'What somebody says in them is shown as it stands; the rest is only counted.'}
      </p>
      {data.malformed.length > 0 && (
        <p className={css['soft']}>
          {data.malformed.map(({ agent, lines }) => `${agentTitle(agent)}: ${unreadWords(lines)}`).join('; ')}
          .
        </p>
      )}
      <div className={css['wide']} tabIndex={0} role="region" aria-label="Kinds of records">
        <table className={css['table']}>
          <thead>
            <tr>
              <th scope="col">Agent</th>
              <th scope="col">Version</th>
              <th scope="col">Record</th>
              <th scope="col" data-number>
                Met
              </th>
              <th scope="col">Last</th>
            </tr>
          </thead>
          <tbody>
            {/* What is not known first: the rest needs nobody. */}
            {data.formats
              .toSorted((a, b) => Number(a.known) - Number(b.known))
              .map((one) => (
                <tr key={`${one.agent} ${one.version} ${one.record}`}>
                  <td>{agentTitle(one.agent)}</td>
                  <td>{one.version ?? 'not said'}</td>
                  <td>
                    <code>{one.record}</code> {!one.known && <Badge tone="warn">not known</Badge>}
                  </td>
                  <td data-number>{formatCount(one.count)}</td>
                  <td>
                    <Time at={one.last_at} />
                  </td>
                </tr>
              ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
