import { BESIDE } from '../../platform/media.ts';
import { useGo } from '../../platform/place.ts';
import { useShortcuts } from '../../platform/shortcuts.ts';
import { useStore } from '../../platform/store.ts';
import { acks } from './acks.ts';
import { keep } from './keeping.ts';
import type { MessageActs } from './MessageDetail.tsx';
import { proposalOf } from './reading.ts';
import { stateOf, type MessageState, type Thread } from './threads.ts';
import type { OpenMessage } from './use-open-message.ts';

interface ActsDeps {
  threads: readonly Thread[] | undefined;
  opened: OpenMessage;
  canWrite: boolean;
}

/** What can be done with the open message, by hand and by its keys, and how each message stands. */
export function useMessageActs({ threads, opened, canWrite }: ActsDeps): {
  acts: MessageActs;
  stateOf: (thread: Thread) => MessageState;
} {
  const goToMemories = useGo();
  const waiting = useStore(acks.waiting);
  const { thread, look, setLook, open } = opened;
  const leaving = waiting.map(({ item }) => item.id);
  const isUnread = (one: Thread) => stateOf(one, leaving) === 'unread';
  const finish = ({ message }: Thread) => acks.add({ id: message.id, namespace: message.namespace });
  const acts: MessageActs = {
    onDone: () => {
      if (!canWrite || !thread || !isUnread(thread)) return;
      finish(thread);
      const next = threads?.find((other) => other !== thread && isUnread(other));
      if (next && matchMedia(BESIDE).matches) open(next.message.id);
    },
    onUndo: () => thread && acks.undo(thread.message.id),
    onKeep: () => {
      if (!canWrite || !thread) return;
      void keep(thread, goToMemories).then((isKept) => {
        // A proposal that was taken is decided on.
        if (isKept && proposalOf(thread.message) && isUnread(thread)) finish(thread);
      });
    },
    onReply: (isReplying) => setLook({ isReplying: isReplying && canWrite }),
    onSent: () => {
      setLook({ isReplying: false });
      if (thread && isUnread(thread)) finish(thread);
    },
    onSource: () => setLook({ isSource: !look.isSource }),
    onClose: opened.close,
  };
  const undoLast = () => {
    const last = waiting.findLast(({ phase }) => phase === 'waiting');
    if (last && acks.undo(last.item.id)) open(last.item.id);
  };
  useShortcuts({
    j: () => opened.move(1),
    k: () => opened.move(-1),
    e: acts.onDone,
    z: undoLast,
    r: () => thread && acts.onReply(true),
    m: acts.onKeep,
    s: acts.onSource,
    Escape: () => (look.isReplying ? acts.onReply(false) : opened.id !== undefined && opened.close()),
  });
  return { acts, stateOf: (one) => stateOf(one, leaving) };
}
