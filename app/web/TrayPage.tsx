import { useNavigate, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { Target } from './features/tray/target.ts';
import { TrayView } from './features/tray/TrayView.tsx';
import { useChosenNamespace } from './features/namespaces/use-chosen.ts';
import { useGo, usePlace } from './platform/place.ts';
import { allows, session } from './platform/session.ts';
import { useStore } from './platform/store.ts';
import { useCounts } from './use-counts.ts';

/** One window, whoever opens it: in a browser one tab, in the desktop app its main window. */
const MAIN_WINDOW = 'reverie';

/** The small window at the tray: what one looks at, decides and writes down in passing. */
export default function TrayPage() {
  const router = useRouter();
  const navigate = useNavigate();
  const place = usePlace();
  const go = useGo('/tray');
  const namespace = useChosenNamespace();
  const counts = useCounts();
  const canWrite = allows(useStore(session), 'write');
  useEffect(() => {
    document.title = 'Reverie';
  }, []);
  const open = ({ to, search }: Target) => {
    const { href } = router.buildLocation({ to, search });
    // Where windows are blocked, it is opened in this one rather than not at all.
    if (!window.open(href, MAIN_WINDOW)) void navigate({ to, search });
  };
  return (
    <TrayView
      namespace={namespace === undefined || namespace === '*' ? 'default' : namespace}
      waiting={{ review: counts['/dreams'], inbox: counts['/inbox'] }}
      canWrite={canWrite}
      tab={place.tab}
      onTab={(tab) => go({ tab }, { replace: true })}
      onOpen={open}
    />
  );
}
