import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, type ReactNode } from 'react';
import { accountsQuery } from '../../features/accounts/queries.ts';
import { recallsQuery } from '../../features/agents/queries.ts';
import { foldersQuery } from '../../features/folders/queries.ts';
import { standingOf as standingOfFolder } from '../../features/folders/words.ts';
import { keysQuery } from '../../features/keys/queries.ts';
import { modelsQuery } from '../../features/models/queries.ts';
import {
  listOfParts,
  modelTitle,
  standingOf as standingOfModel,
  usesModel,
} from '../../features/models/words.ts';
import { statusQuery } from '../../features/sync/queries.ts';
import { standingOf as standingOfSync } from '../../features/sync/words.ts';
import { healthOf } from '../../features/webhooks/health.ts';
import { webhooksQuery } from '../../features/webhooks/queries.ts';
import { useNow } from '../../platform/clock.ts';
import { countOf } from '../../platform/format.ts';
import { allows, session } from '../../platform/daemon/session.ts';
import { useStore } from '../../platform/store.ts';
import css from './ConnectionsPage.module.css';
import { Badge, type Tone } from '../../ui/Badge.tsx';
import { Column, Lead } from '../../ui/Column.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Time } from '../../ui/Time.tsx';
import { viewsOf, type PageView } from '../../views.ts';

/** What is there of a connection, and how it is. */
interface Standing {
  sentence: ReactNode;
  /** Where it wants to be looked at. */
  badge?: { tone: Tone; word: string } | undefined;
}

/** Everything that Reverie has to do with beyond this page: one plain line each, and the way there. */
export default function ConnectionsPage() {
  const now = useStore(session);
  useEffect(() => {
    document.title = 'Connections · Reverie';
  }, []);
  const standings: Readonly<Partial<Record<PageView['to'], () => Standing | undefined>>> = {
    '/agents': useAgents,
    '/sync': useDevices,
    '/folders': useFolders,
    '/models': useModels,
    '/webhooks': useWebhooks,
    '/events': () => ({ sentence: 'All that happened to your memories, line by line.' }),
    '/keys': useKeys,
    '/accounts': useAccounts,
  };
  return (
    <Column>
      <h1>Connections</h1>
      <Lead>
        Who reads and writes here beside you, and where your memories go. Nothing goes anywhere unasked.
      </Lead>
      <ul className={css['rooms']} role="list" aria-label="Connections">
        {viewsOf('connections')
          .filter(({ to, scope }) => to !== '/connections' && allows(now, scope))
          .map((view) => (
            <RoomRow key={view.to} view={view} useStanding={standings[view.to] ?? unknown} />
          ))}
      </ul>
    </Column>
  );
}

const unknown = () => undefined;

function RoomRow({ view, useStanding }: { view: PageView; useStanding: () => Standing | undefined }) {
  const standing = useStanding();
  return (
    <li>
      <Link to={view.to} className={css['row']}>
        <span className={css['icon']}>
          <Icon name={view.icon} />
        </span>
        <span className={css['words']}>
          <span className={css['name']}>
            {view.label}
            {standing?.badge && <Badge tone={standing.badge.tone}>{standing.badge.word}</Badge>}
          </span>
          <span className={css['sentence']}>{standing?.sentence ?? ' '}</span>
        </span>
        <Icon name="right" />
      </Link>
    </li>
  );
}

function useAgents(): Standing | undefined {
  const { data } = useInfiniteQuery(recallsQuery);
  if (!data) return undefined;
  const last = data.pages[0]?.recalls[0];
  if (!last) return { sentence: 'No agent has looked here yet. Connect Claude Code, Codex or another one.' };
  return {
    sentence: (
      <>
        <bdi>{last.agent}</bdi> looked here last, <Time at={last.at} />.
      </>
    ),
  };
}

function useDevices(): Standing | undefined {
  const { data } = useQuery(statusQuery);
  if (!data) return undefined;
  const { tone, word, sentence } = standingOfSync(data);
  return { sentence, badge: tone === 'plain' ? undefined : { tone, word } };
}

function useFolders(): Standing | undefined {
  const { data } = useQuery(foldersQuery);
  if (!data) return undefined;
  if (data.length === 0)
    return { sentence: 'None. A folder of notes can be followed: what changes there changes here.' };
  const memories = data.reduce((sum, folder) => sum + folder.memories, 0);
  const odd = data.map(standingOfFolder).find(({ tone }) => tone === 'warn' || tone === 'bad');
  return {
    sentence: `${countOf(data.length, 'folder', 'folders')} with ${countOf(memories, 'memory', 'memories')}.`,
    badge: odd,
  };
}

function useModels(): Standing | undefined {
  const { data } = useQuery(modelsQuery);
  if (!data) return undefined;
  const used = data.uses.filter(usesModel);
  if (used.length === 0)
    return { sentence: 'None, and none is needed: answers are quoted from your memories.' };
  const names = new Set(
    used.map(({ server, name }) => modelTitle({ server: server ?? '', name: name ?? '' })),
  );
  return {
    sentence: `${[...names].join(', ')} for ${listOfParts(used.map(({ part }) => part))}.`,
    badge: used.map(standingOfModel).find(({ tone }) => tone === 'warn' || tone === 'bad'),
  };
}

function useWebhooks(): Standing | undefined {
  const now = useNow();
  const { data } = useQuery(webhooksQuery);
  if (!data) return undefined;
  if (data.length === 0) return { sentence: 'None. A webhook tells another program of every change.' };
  return {
    sentence: `${countOf(data.length, 'program is', 'programs are')} told of changes.`,
    badge: data.map((one) => healthOf(one, now)).find(({ tone }) => tone === 'warn' || tone === 'bad'),
  };
}

function useKeys(): Standing | undefined {
  const { data } = useQuery(keysQuery);
  if (!data) return undefined;
  return {
    sentence: `${countOf(data.length, 'program or agent has', 'programs and agents have')} a key to your memories.`,
  };
}

function useAccounts(): Standing | undefined {
  const { data } = useQuery(accountsQuery);
  if (!data) return undefined;
  const others = data.filter(({ kind }) => kind !== 'machine' && kind !== 'sandbox');
  return {
    sentence:
      others.length === 0
        ? 'Only yours. Agents that sign up by e-mail get one of their own.'
        : `Yours, and ${countOf(others.length, 'that of an agent', 'of agents')} that signed up.`,
  };
}
