import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { call } from '../../platform/api.ts';
import { Fetched } from '../../platform/Fetched.tsx';
import { countOf } from '../../platform/format.ts';
import { notify } from '../../platform/notices.ts';
import { useGo, usePlace } from '../../platform/place.ts';
import { useShortcuts } from '../../platform/shortcuts.ts';
import { useStore } from '../../platform/store.ts';
import { Button } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Frame } from '../../ui/Frame.tsx';
import { Message, Snippet } from '../../ui/Message.tsx';
import { NothingOpen, RowsHead } from '../../ui/Rows.tsx';
import { Split, SplitBody } from '../../ui/Split.tsx';
import { keepThought } from '../today/adding.ts';
import { acks } from './acks.ts';
import css from './InboxView.module.css';
import { MessageDetail } from './MessageDetail.tsx';
import { MessageList } from './MessageList.tsx';
import { inboxesQuery } from './queries.ts';
import { memoryOf, proposalOf } from './reading.ts';
import type { Thread } from './threads.ts';
import { useInbox } from './use-inbox.ts';

interface InboxViewProps {
  namespaces: readonly string[];
  canWrite: boolean;
}

/** Wide enough that a list and what is open of it stand beside each other. */
const BESIDE = '(width >= 56rem)';

/** What agents and programs left for whoever works in a namespace: read, answered, kept and done with. */
export default function InboxView({ namespaces, canWrite }: InboxViewProps) {
  const place = usePlace();
  const go = useGo('/inbox');
  const goToMemories = useGo();
  const namespace = place.namespace === '*' ? undefined : place.namespace;
  const { threads, unread, error, retry, more } = useInbox(namespace);
  const waiting = useStore(acks.waiting);
  const [look, setLook] = useState({ isSource: false, isReplying: false });
  const openId = place.message;
  const at = threads?.findIndex(({ message }) => message.id === openId) ?? -1;
  const thread = threads?.[at];
  const first = threads?.[0]?.message.id;
  useEffect(() => {
    document.title = 'Inbox · Reverie';
  }, []);
  useEffect(() => {
    // The first one lies open already, as on a desk.
    if (openId === undefined && first !== undefined && matchMedia(BESIDE).matches)
      go({ message: first }, { replace: true });
  }, [openId, first, go]);

  const open = (id: string) => {
    setLook({ isSource: false, isReplying: false });
    go({ message: id }, { replace: openId !== undefined });
  };
  const move = (step: number) => {
    const next = threads?.[Math.min(threads.length - 1, Math.max(0, at + step))];
    if (next) open(next.message.id);
  };
  const stateOf = ({ message }: Thread) =>
    message.acked_at !== null
      ? 'read'
      : waiting.some(({ item }) => item.id === message.id)
        ? 'leaving'
        : 'unread';
  const finish = ({ message }: Thread) => acks.add({ id: message.id, namespace: message.namespace });
  const done = () => {
    if (!canWrite || !thread || stateOf(thread) !== 'unread') return;
    finish(thread);
    const next = threads?.find((other) => other !== thread && stateOf(other) === 'unread');
    if (next && matchMedia(BESIDE).matches) open(next.message.id);
  };
  const undo = () => {
    const last = waiting.findLast(({ phase }) => phase === 'waiting');
    if (last && acks.undo(last.item.id)) open(last.item.id);
  };
  const acts = {
    onDone: done,
    onUndo: () => thread && acks.undo(thread.message.id),
    onKeep: () => {
      if (!canWrite || !thread) return;
      void keep(thread, goToMemories).then((isKept) => {
        // A proposal that was taken is decided on.
        if (isKept && proposalOf(thread.message) && stateOf(thread) === 'unread') finish(thread);
      });
    },
    onReply: (isReplying: boolean) => setLook({ ...look, isReplying: isReplying && canWrite }),
    onSent: () => {
      setLook({ ...look, isReplying: false });
      if (thread && stateOf(thread) === 'unread') finish(thread);
    },
    onSource: () => setLook({ ...look, isSource: !look.isSource }),
    onClose: () => go({ message: undefined }),
  };
  useShortcuts({
    j: () => move(1),
    k: () => move(-1),
    e: done,
    z: undo,
    r: () => thread && acts.onReply(true),
    m: acts.onKeep,
    s: acts.onSource,
    Escape: () => (look.isReplying ? acts.onReply(false) : openId !== undefined && acts.onClose()),
  });
  return (
    <Split
      labels={['Inbox', 'Open message']}
      isOpen={openId !== undefined}
      isAlone={namespace === undefined && threads?.length === 0}
      tools={
        <>
          <RowsHead title="Inbox">
            <span role="status" className={css['count']}>
              {threads &&
                (unread === 0 ? 'Everything is read' : countOf(unread, 'unread message', 'unread messages'))}
            </span>
          </RowsHead>
          <Chooser namespaces={namespaces} chosen={namespace} />
        </>
      }
      list={
        <SplitBody>
          <Fetched of={{ data: threads, error, refetch: retry }} lines={6}>
            {(all) =>
              all.length === 0 ? (
                <Empty namespace={namespace} />
              ) : (
                <MessageList
                  threads={all}
                  {...{ openId, more }}
                  isOfAll={namespace === undefined}
                  onOpen={open}
                />
              )
            }
          </Fetched>
        </SplitBody>
      }
      detail={
        thread ? (
          <MessageDetail
            key={thread.message.id}
            {...{ thread, namespaces, canWrite, acts, ...look }}
            state={stateOf(thread)}
          />
        ) : openId !== undefined && threads ? (
          <Frame title="Message" onClose={acts.onClose}>
            <Message icon="search" title="This message is not here">
              <p>It may be of another namespace, or was read so long ago that it was dropped.</p>
              <Button onClick={() => go({ namespace: '*', message: undefined })}>Show all messages</Button>
            </Message>
          </Frame>
        ) : (
          <NothingOpen />
        )
      }
    />
  );
}

/** Stores what a message says under a key of its first words, or what it proposes, and leads there; answers whether it did. */
async function keep({ message }: Thread, go: ReturnType<typeof useGo>): Promise<boolean> {
  const { namespace, payload } = message;
  try {
    const kept = await keepThought(call, {
      namespace,
      ...(proposalOf(message) ?? { value: memoryOf(payload) }),
    });
    notify('good', `Kept in ${kept.namespace} as ${kept.key}.`, {
      label: 'Open',
      run: () => go({ ...kept, message: undefined }),
    });
    return true;
  } catch (error) {
    notify('bad', `It was not kept: ${error instanceof Error ? error.message : String(error)}`);
    return false;
  }
}

function Chooser({ namespaces, chosen }: { namespaces: readonly string[]; chosen: string | undefined }) {
  const go = useGo('/inbox');
  const { data: heard = [] } = useQuery(inboxesQuery);
  const names = new Set([...heard, ...namespaces, ...(chosen === undefined ? [] : [chosen])]);
  return (
    <select
      aria-label="Inbox of"
      dir="auto"
      className={css['chooser']}
      value={chosen ?? '*'}
      onChange={(event) => go({ namespace: event.target.value, message: undefined })}
    >
      <option value="*">All namespaces</option>
      {[...names]
        .toSorted((a, b) => a.localeCompare(b))
        .map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
    </select>
  );
}

function Empty({ namespace }: { namespace: string | undefined }) {
  const go = useGo('/inbox');
  const into = namespace !== undefined && /^[\w.-]+$/.test(namespace) ? namespace : 'work';
  const command = `reverie inbox ${into} --send '{"text": "the build is red"}' --from ci`;
  return (
    <Message icon="inbox" title="No messages">
      <p>
        Agents and programs leave messages here for whoever works
        {namespace === undefined ? (
          ' in a namespace'
        ) : (
          <>
            {' in '}
            <bdi>{namespace}</bdi>
          </>
        )}
        . They appear at once, and can be answered. To leave one:
      </p>
      <Snippet action={<CopyButton text={command} what="command" />}>{command}</Snippet>
      {namespace !== undefined && (
        <Button onClick={() => go({ namespace: '*' })}>Look into all namespaces</Button>
      )}
    </Message>
  );
}
