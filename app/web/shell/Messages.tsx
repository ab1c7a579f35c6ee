import { undoLast } from '../features/memories/acting/undoing.ts';
import { nameOf } from '../features/memories/address.ts';
import { trashing } from '../features/memories/trash/trash.ts';
import { countOf } from '../platform/format.ts';
import { dismiss, notices } from '../platform/notices.ts';
import { useShortcuts } from '../platform/shortcuts.ts';
import { useStore } from '../platform/store.ts';
import { Button } from '../ui/Button.tsx';
import { Toasts, type Toast } from '../ui/Toasts.tsx';

/** What was said, and what was just moved to the trash and can be taken back. */
export function Messages() {
  const said = useStore(notices);
  const moved = useStore(trashing.moved);
  // On the window: a view that has the key for something of its own goes first.
  useShortcuts({ u: undoLast }, window);
  const toasts: Toast[] = [
    ...said.map(({ id, tone, text, action }) => ({
      id: `notice-${id}`,
      tone,
      text,
      action: action && (
        <Button
          look="quiet"
          onClick={() => {
            action.run();
            dismiss(id);
          }}
        >
          {action.label}
        </Button>
      ),
      ...(tone === 'bad' && { onDismiss: () => dismiss(id) }),
    })),
    ...moved
      .filter(({ phase }) => phase === 'moved')
      .map(({ id, memories }) => ({
        id,
        tone: 'plain' as const,
        text: (
          <>
            Moved{' '}
            {memories.length === 1 && memories[0] ? (
              <bdi>{nameOf(memories[0])}</bdi>
            ) : (
              countOf(memories.length, 'memory', 'memories')
            )}{' '}
            to the trash
          </>
        ),
        action: (
          <Button look="quiet" aria-keyshortcuts="u" onClick={() => void trashing.undo(id)}>
            Undo
          </Button>
        ),
        onHold: (held: boolean) => (held ? trashing.hold(id) : trashing.release(id)),
      })),
  ];
  return <Toasts toasts={toasts} />;
}
