import { useEffect } from 'react';
import { TrayView } from '../features/tray/TrayView.tsx';
import { useChosenNamespace } from '../features/namespaces/use-chosen.ts';
import { useGo, usePlace } from '../platform/place.ts';
import { allows, session } from '../platform/daemon/session.ts';
import { useStore } from '../platform/store.ts';
import { useCounts } from '../shell/use-counts.ts';
import { useOpenMain } from '../shell/use-open-main.ts';

/** The small window at the tray: what one looks at, decides and writes down in passing. */
export default function TrayPage() {
  const open = useOpenMain();
  const place = usePlace();
  const go = useGo('/tray');
  const counts = useCounts();
  const canWrite = allows(useStore(session), 'write');
  useEffect(() => {
    document.title = 'Reverie';
  }, []);
  return (
    <TrayView
      namespace={useChosenNamespace()}
      waiting={{ review: counts['/dreams'], inbox: counts['/inbox'] }}
      canWrite={canWrite}
      tab={place.tab}
      onTab={(tab) => go({ tab }, { replace: true })}
      onOpen={open}
    />
  );
}
