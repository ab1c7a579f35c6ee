import { EVERY_NAMESPACE } from '@reverie/shared/contract/fields';
import { Suspense, useEffect } from 'react';
import { FieldView } from '../features/field/FieldView.tsx';
import { isInApp } from '../platform/desktop.ts';
import type { Place } from '../platform/place.ts';
import { allows, session } from '../platform/daemon/session.ts';
import { useStore } from '../platform/store.ts';
import css from './QuickPage.module.css';
import { useFieldEntries } from '../shell/use-field-entries.ts';
import { useHitActs } from '../shell/use-hit-acts.tsx';
import { useOpenMain } from '../shell/use-open-main.ts';
import type { PageView } from '../views.ts';

/** The one field in a window of its own, which a shortcut opens over whatever one does; what it opens stands in the main window. */
export default function QuickPage() {
  const openMain = useOpenMain();
  // The app hides a window that closes itself; a tab of a browser stays.
  const onDone = isInApp ? () => window.close() : undefined;
  const goTo = (to: PageView['to'], search: Place) => {
    openMain({ to, search });
    onDone?.();
  };
  const entries = useFieldEntries({
    goTo,
    onNamespace: (namespace) => goTo('/memories', { namespace }),
  });
  const onOpen = ({ namespace, key }: { namespace: string; key: string }) =>
    goTo('/memories', { namespace, key });
  const { actsOf, acting } = useHitActs({
    onOpen,
    onEdit: ({ namespace, key }) => goTo('/memories', { namespace, key, mode: 'edit' }),
    // It stays, and with it the offer to take it back.
    onDone: () => undefined,
  });
  useEffect(() => {
    document.title = 'Reverie';
  }, []);
  return (
    <main className={css['quick']}>
      <h1 className="sr-only">Reverie</h1>
      <FieldView
        isWindow
        canWrite={allows(useStore(session), 'write')}
        entries={entries}
        actsOf={actsOf}
        onOpen={onOpen}
        onAsk={(q) => goTo('/ask', { namespace: EVERY_NAMESPACE, q })}
        onSearch={(q) => goTo('/memories', { namespace: EVERY_NAMESPACE, q })}
        onClose={onDone}
      />
      <Suspense fallback={null}>{acting}</Suspense>
    </main>
  );
}
