import { useQuery } from '@tanstack/react-query';
import { useEffect, type ReactNode } from 'react';
import { Unfetched } from '../../platform/queries/Fetched.tsx';
import { dates, followDates } from '../../platform/locale.ts';
import { useStore } from '../../platform/store.ts';
import { Column, Lead } from '../../ui/Column.tsx';
import { Backup } from './Backup.tsx';
import { Dates, Looks, Quick } from './Looks.tsx';
import { Nights } from './Nights.tsx';
import { isForeign } from './change.ts';
import { settingsQuery } from './queries.ts';
import { Group } from './Setting.tsx';
import { Thoughts } from './Thoughts.tsx';
import { Trash } from './Trash.tsx';

interface SettingsProps {
  isOwner: boolean;
  /** The namespaces, each with its face. */
  spaces: ReactNode;
  /** What answers and dreams, in a sentence. */
  models: ReactNode;
  /** What leaves this machine, in sentences. */
  leaving: ReactNode;
  /** Which version runs, and where to see how it does. */
  version: ReactNode;
}

/** What a person chooses, in plain words; kept for every window of this machine. */
export default function SettingsView({ isOwner, ...parts }: SettingsProps) {
  const settings = useQuery({ ...settingsQuery, enabled: isOwner });
  useEffect(() => {
    document.title = 'Settings · Reverie';
  }, []);
  const { data } = settings;
  if (!isOwner || isForeign(settings.error)) return <OfThisWindow version={parts.version} />;
  if (!data)
    return (
      <Column>
        <h1>Settings</h1>
        <Unfetched of={settings} lines={9} />
      </Column>
    );
  return (
    <Column>
      <h1>Settings</h1>
      <Lead>They apply at once, in every window here.</Lead>
      <Group title="Writing">
        <Thoughts settings={data} />
        <Quick />
      </Group>
      <Group title="How it looks">
        <Looks settings={data} />
        <Dates settings={data} />
      </Group>
      <Group title="Namespaces">{parts.spaces}</Group>
      <Group title="At night">
        <Nights settings={data} />
      </Group>
      <Group title="Models">{parts.models}</Group>
      <Group title="What leaves this machine">{parts.leaving}</Group>
      <Group title="Keeping it safe">
        <Backup />
        <Trash settings={data} />
      </Group>
      <Group title="Reverie itself">{parts.version}</Group>
    </Column>
  );
}

/** What a session chooses that may not change what holds for all. */
function OfThisWindow({ version }: Pick<SettingsProps, 'version'>) {
  const chosen = useStore(dates);
  return (
    <Column>
      <h1>Settings</h1>
      <Lead>
        These are for this browser only. What holds for every window is the owner’s: open it with{' '}
        <code>reverie open</code> to change it.
      </Lead>
      <Group title="How it looks">
        <Looks />
        <Dates onChoose={(change) => followDates({ ...chosen, ...change })} />
      </Group>
      <Group title="Reverie itself">{version}</Group>
    </Column>
  );
}
