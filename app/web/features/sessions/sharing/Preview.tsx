import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Unfetched } from '../../../platform/queries/Fetched.tsx';
import { countOf, formatCount } from '../../../platform/format.ts';
import { Badge } from '../../../ui/Badge.tsx';
import { Button } from '../../../ui/Button.tsx';
import { previewQuery } from '../queries.ts';
import { KIND_WORDS } from '../words.ts';
import css from './ShareDialog.module.css';
import { entryWords, leavesWords, piecesAround, sessionWords, ruleName, staysWords } from './words.ts';

/** Exactly what would leave: how much, which secrets were taken out of it, what stays, and the entries as they would be read. */
export function Preview({ session, from }: { session: string; from: 'start' | 'now' }) {
  const [isRedacted, setRedacted] = useState(false);
  const preview = useInfiniteQuery(previewQuery(session, from, isRedacted));
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = preview;
  const [first] = data?.pages ?? [];
  if (!first) return <Unfetched of={preview} lines={5} />;
  const sample = data?.pages.flatMap((page) => page.sample) ?? [];
  const stays = staysWords(first.withheld);
  return (
    <div className={css['part']}>
      <p>{leavesWords(first)}</p>
      <p dir="auto">
        <b>{first.session.title}</b> <span className={css['soft']}>{sessionWords(first.session)}</span>
      </p>
      {first.by_rule.length > 0 ? (
        <>
          <p>{countOf(first.redactions, 'secret was', 'secrets were')} taken out of them:</p>
          <ul className={css['rules']} aria-label="Secrets that were taken out">
            {first.by_rule.map(({ rule, count, is_new }) => (
              <li key={rule}>
                {ruleName(rule)}: {formatCount(count)} {is_new && <Badge tone="warn">new</Badge>}
              </li>
            ))}
          </ul>
        </>
      ) : (
        <p>No secret was found in them.</p>
      )}
      {stays !== '' && <p className={css['soft']}>{stays}</p>}
      <label className={css['tick']}>
        <input type="checkbox" checked={isRedacted} onChange={({ target }) => setRedacted(target.checked)} />
        Show only entries that had secrets
      </label>
      <ol className={css['sample']} aria-label="Entries as others would read them" tabIndex={0}>
        {sample.map((one) => (
          <li key={one.id}>
            <span className={css['soft']}>
              {entryWords(KIND_WORDS[one.kind], one)}
              {one.redactions > 0 && `, ${countOf(one.redactions, 'secret', 'secrets')} taken out`}
            </span>
            <p dir="auto">
              {piecesAround(one.text).map((piece, at) =>
                piece.isTakenOut ? <mark key={at}>{piece.text}</mark> : <span key={at}>{piece.text}</span>,
              )}
            </p>
          </li>
        ))}
        {sample.length === 0 && <li className={css['soft']}>None.</li>}
      </ol>
      {hasNextPage && (
        <div>
          <Button disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show more of them
          </Button>
        </div>
      )}
    </div>
  );
}
