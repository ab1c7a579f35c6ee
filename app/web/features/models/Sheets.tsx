import type { ModelSheet } from '@reverie/shared/contract/system/models';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Fetched } from '../../platform/queries/Fetched.tsx';
import { Button } from '../../ui/Button.tsx';
import { Disclosure, Disclosures } from '../../ui/lists/Disclosure.tsx';
import { Time } from '../../ui/Time.tsx';
import css from './ModelsView.module.css';
import { sheetsQuery } from './queries.ts';
import { sheetTitle, sheetWords } from './words.ts';

/** What was put to models, the last first: when, to which, with which notes. */
export function Sheets() {
  const list = useInfiniteQuery(sheetsQuery);
  const sheets = list.data?.pages.flatMap((page) => page.sheets) ?? [];
  return (
    <div className={css['part']}>
      <Fetched of={list} lines={3}>
        {() =>
          sheets.length === 0 ? (
            <p className={css['soft']}>No model was asked anything in the last 90 days.</p>
          ) : (
            <>
              <Disclosures label="What left">
                {sheets.map((sheet) => (
                  <Sheet key={sheet.id} sheet={sheet} />
                ))}
              </Disclosures>
              {list.hasNextPage && (
                <div>
                  <Button disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
                    Show earlier ones
                  </Button>
                </div>
              )}
            </>
          )
        }
      </Fetched>
    </div>
  );
}

function Sheet({ sheet }: { sheet: ModelSheet }) {
  const [isOpen, setOpen] = useState(false);
  const gone = sheet.shown - sheet.notes.length;
  return (
    <Disclosure
      line={sheetTitle(sheet)}
      more={sheetWords(sheet)}
      aside={<Time at={sheet.at} />}
      isOpen={isOpen}
      onToggle={() => setOpen(!isOpen)}
    >
      {sheet.part === 'examination' && <p>Made-up notes, none of yours.</p>}
      {sheet.notes.length > 0 && (
        <ul className={css['leaving']} role="list">
          {sheet.notes.map(({ namespace, key }) => (
            <li key={`${namespace} ${key}`}>
              <Link to="/memories" search={{ namespace, key }}>
                <bdi>{key}</bdi>
              </Link>{' '}
              <span className={css['soft']}>
                in <bdi>{namespace}</bdi>
              </span>
            </li>
          ))}
        </ul>
      )}
      {sheet.part !== 'examination' && gone > 0 && (
        <p className={css['soft']}>
          {gone === 1 ? 'One note that is deleted since.' : `${gone} notes that are deleted since.`}
        </p>
      )}
      {sheet.part !== 'examination' && sheet.shown === 0 && (
        <p className={css['soft']}>No note went along.</p>
      )}
    </Disclosure>
  );
}
