import { useEffect } from 'react';
import { QuickView } from './features/quick/QuickView.tsx';
import { isInApp } from './platform/desktop.ts';
import { allows, session } from './platform/session.ts';
import { useStore } from './platform/store.ts';
import { useOpenMain } from './use-open-main.ts';

/** The field that a shortcut opens over whatever one does: memories are found as one types, and a thought is kept. */
export default function QuickPage() {
  const open = useOpenMain();
  useEffect(() => {
    document.title = 'Reverie';
  }, []);
  return (
    <QuickView
      canWrite={allows(useStore(session), 'write')}
      onOpen={open}
      // The app hides a window that closes itself; a tab of a browser stays.
      onDone={isInApp ? () => window.close() : undefined}
    />
  );
}
