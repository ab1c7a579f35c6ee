import { serverTitles } from '@reverie/shared/contract/system/models';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { countOf } from '../../platform/format.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { Column, Lead } from '../../ui/Column.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Icon, type IconName } from '../../ui/Icon.tsx';
import { Snippet } from '../../ui/Message.tsx';
import { Time } from '../../ui/Time.tsx';
import { WithCode } from '../../ui/text/WithCode.tsx';
import { AddFolder } from '../folders/AddFolder.tsx';
import { foldersQuery } from '../folders/queries.ts';
import { standingOf } from '../folders/words.ts';
import { keysQuery } from '../keys/queries.ts';
import { UseAgent, useAgentOffer } from '../models/UseAgent.tsx';
import { listOfParts, modelTitle, usesModel } from '../models/words.ts';
import { QuickAdd } from '../today/QuickAdd.tsx';
import { agentKey, connections } from './beginning.ts';
import css from './StartView.module.css';

/** How often it is looked whether an agent has called, ms: a call that reads is no event. */
const LOOK_EVERY_MS = 2_000;

interface StartProps {
  canWrite: boolean;
  /** Folders and keys are the owner's. */
  isOwner: boolean;
  /** Whether something is remembered by now. */
  isBegun: boolean;
  onDone: () => void;
}

/** The first view of an empty home: three ways to begin, each of which says here when it worked. */
export default function StartView({ canWrite, isOwner, isBegun, onDone }: StartProps) {
  return (
    <Column>
      <h1>Welcome. Nothing is remembered yet.</h1>
      <Lead>
        Reverie keeps what you and your agents should not forget, on this machine, and sends none of it
        anywhere unless you agree to it. Begin in whichever way suits you; the others can wait.
      </Lead>
      {isBegun && (
        <div className={css['done']} role="status">
          <Icon name="check" />
          <span>
            You have begun: Reverie finds what you keep, answers from it, dreams about it.{' '}
            <Button look="strong" onClick={onDone}>
              Go to Today
            </Button>
          </span>
        </div>
      )}
      <ol className={css['ways']}>
        {canWrite && (
          <Way icon="edit" title="Write a first thought">
            <QuickAdd />
          </Way>
        )}
        {isOwner && <FolderWay />}
        {isOwner && <AgentWay />}
        {isOwner && <AnswersWay />}
      </ol>
      {!canWrite && <p>You may only read here: what others write shows up here.</p>}
    </Column>
  );
}

function FolderWay() {
  const { data: folders = [] } = useQuery(foldersQuery);
  const [isAnother, setAnother] = useState(false);
  return (
    <Way icon="folder" title="Bring in a folder of notes" isDone={folders.length > 0}>
      <p>
        Markdown from Obsidian or anywhere else, and text. The files stay where they are, and what changes
        there changes here.
      </p>
      {folders.map((folder) => {
        const { tone, word, more } = standingOf(folder);
        return (
          <p key={folder.id} className={css['state']} role="status">
            <Badge tone={tone}>{word}</Badge>
            <span>
              <bdi>{folder.path}</bdi>: {more ?? countOf(folder.memories, 'memory', 'memories')} in{' '}
              <Link to="/memories" search={{ namespace: folder.namespace }}>
                {folder.namespace}
              </Link>
            </span>
          </p>
        );
      })}
      {folders.length === 0 || isAnother ? (
        <AddFolder key={folders.length} onAdded={() => setAnother(false)} />
      ) : (
        <Button onClick={() => setAnother(true)}>Bring in another</Button>
      )}
      <p className={css['soft']}>
        What other assistants export, in a terminal: <code>reverie import FILE</code>
      </p>
    </Way>
  );
}

function AgentWay() {
  const { data: keys = [] } = useQuery({ ...keysQuery, refetchInterval: LOOK_EVERY_MS });
  const used = agentKey(keys);
  const ways = connections(location.origin);
  const [chosen, setChosen] = useState(0);
  const { snippet, after } = ways[chosen] ?? { snippet: '', after: '' };
  return (
    <Way icon="agent" title="Connect an agent" isDone={used !== undefined}>
      <p>
        It looks here before it works, and keeps what will matter later. Memories of a project stay with that
        project.
      </p>
      <select
        aria-label="Which agent"
        value={chosen}
        onChange={({ target }) => setChosen(Number(target.value))}
      >
        {ways.map(({ name }, at) => (
          <option key={name} value={at}>
            {name}
          </option>
        ))}
      </select>
      <Snippet action={<CopyButton text={snippet} what="command" />}>{snippet}</Snippet>
      <p className={css['soft']}>
        <WithCode>{after}</WithCode>
      </p>
      <p className={css['state']} role="status">
        {used?.last_used_at ? (
          <>
            <Badge tone="good">connected</Badge>
            <span>
              <bdi>{used.name}</bdi> called <Time at={used.last_used_at} />
            </span>
          </>
        ) : (
          <>
            <span className={css['pulse']} />
            <span>Waiting for it to look here: this page notices by itself.</span>
          </>
        )}
      </p>
    </Way>
  );
}

/** The coding agent of this machine as what answers; nothing where there is none, for everything works without. */
function AnswersWay() {
  const { state, use, agent } = useAgentOffer('ask', true);
  const used = use && usesModel(use) ? use : undefined;
  if (!state || (!used && !agent)) return null;
  const name = agent
    ? serverTitles[agent.kind]
    : modelTitle({ server: used?.server ?? '', name: used?.name ?? '' });
  const parts = state.uses
    .filter((one) => usesModel(one) && one.server === used?.server)
    .map(({ part }) => part);
  return (
    <Way
      icon="ask"
      title={agent ? `Answers by ${name}, which is on this machine` : `Answers by ${name}`}
      isDone={used !== undefined}
    >
      {used ? (
        <p role="status">It is used for {listOfParts(parts)} from now on.</p>
      ) : (
        <p>
          Without a language model answers are quoted from your memories. With one they are put together from
          several, and dreams notice more. You are told first what is sent to whom.
        </p>
      )}
      {agent && <UseAgent agent={agent} state={state} focusAfter="start-models" look="strong" />}
      <p className={css['soft']}>
        <Link to="/models" id="start-models">
          {used ? 'Limits, and what left' : 'Another model, or one that runs here'}
        </Link>
      </p>
    </Way>
  );
}

interface WayProps {
  icon: IconName;
  title: string;
  isDone?: boolean;
  children: ReactNode;
}

function Way({ icon, title, isDone = false, children }: WayProps) {
  return (
    <li className={css['way']} data-done={isDone}>
      <h2>
        <Icon name={isDone ? 'check' : icon} />
        {title}
      </h2>
      {children}
    </li>
  );
}
