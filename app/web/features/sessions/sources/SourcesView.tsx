import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { Fetched } from '../../../platform/queries/Fetched.tsx';
import { Column, Lead } from '../../../ui/Column.tsx';
import { Icon } from '../../../ui/Icon.tsx';
import { Items } from '../../../ui/lists/Items.tsx';
import { Banner } from '../../../ui/Message.tsx';
import { sourcesQuery } from '../queries.ts';
import { Formats } from './Formats.tsx';
import { SourceCard } from './SourceCard.tsx';
import css from './SourcesView.module.css';

/** The agents whose logs can be read, each with a switch: nothing is read before somebody agreed to it. */
export default function SourcesView({ isOwner }: { isOwner: boolean }) {
  const sources = useQuery(sourcesQuery);
  useEffect(() => {
    document.title = 'Sources of sessions · Reverie';
  }, []);
  return (
    <Column>
      <Link to="/sessions" search={{}} className={css['back']}>
        <Icon name="back" /> Sessions
      </Link>
      <h1>Sources</h1>
      <Lead>
        Coding agents write down what they do in folders of their own. Until you agree, Reverie looks only at
        names and sizes there. You agree to each agent by itself.
      </Lead>
      {!isOwner && <Banner tone="plain">Only the owner of this machine may turn them on or off.</Banner>}
      <Fetched of={sources} lines={6}>
        {(all) => (
          <Items label="Agents">
            {all
              .toSorted((a, b) => Number(b.found) - Number(a.found))
              .map((source) => (
                <SourceCard key={source.agent} source={source} isOwner={isOwner} />
              ))}
          </Items>
        )}
      </Fetched>
      <Formats />
    </Column>
  );
}
