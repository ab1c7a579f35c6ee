import { lazy, Suspense, useState } from 'react';
import { deletions } from './features/memories/deletions.ts';
import { dismiss, notices } from './platform/notices.ts';
import { useStore } from './platform/store.ts';
import { Button } from './ui/Button.tsx';
import { Toasts, type Toast } from './ui/Toasts.tsx';

const KeptLonger = lazy(() => import('./features/memories/KeptLonger.tsx'));

/** What was said, and the deletes that can still be undone. */
export function Messages() {
  const said = useStore(notices);
  const waiting = useStore(deletions.waiting);
  const [asks, setAsks] = useState(false);
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
    ...waiting
      .filter(({ phase }) => phase === 'waiting')
      .map(({ item }) => ({
        id: item.id,
        tone: 'plain' as const,
        text: (
          <>
            Deleted <bdi>{item.key.length > 80 ? `${item.key.slice(0, 80)}…` : item.key}</bdi>
          </>
        ),
        action: (
          <>
            <Button look="quiet" onClick={() => setAsks(true)}>
              What keeps it longer?
            </Button>
            <Button look="quiet" aria-keyshortcuts="u" onClick={() => deletions.undo(item.id)}>
              Undo
            </Button>
          </>
        ),
        onHold: (held: boolean) => (held ? deletions.hold(item.id) : deletions.release(item.id)),
      })),
  ];
  return (
    <>
      <Toasts toasts={toasts} />
      <Suspense fallback={null}>{asks && <KeptLonger onClose={() => setAsks(false)} />}</Suspense>
    </>
  );
}
