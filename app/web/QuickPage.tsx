import { useEffect } from 'react';
import { useChosenNamespace } from './features/namespaces/use-chosen.ts';
import { QuickView } from './features/quick/QuickView.tsx';
import { isInApp } from './platform/desktop.ts';
import { allows, session } from './platform/session.ts';
import { useStore } from './platform/store.ts';
import { useOpenMain } from './use-open-main.ts';

/** The field that a shortcut opens over whatever one does: a thought is kept with Enter, and memories are found as one types. */
export default function QuickPage() {
  const open = useOpenMain();
  useEffect(() => {
    document.title = 'Reverie';
  }, []);
  return (
    <QuickView
      namespace={useChosenNamespace()}
      canWrite={allows(useStore(session), 'write')}
      onOpen={open}
      // The app hides a window that closes itself; a tab of a browser stays.
      onDone={isInApp ? () => window.close() : undefined}
    />
  );
}
