import StatusView from './features/status/StatusView.tsx';
import { Quotas } from './features/usage/Quotas.tsx';

/** How the daemon is doing, and what the session's account may still do. */
export default function StatusPage() {
  return (
    <StatusView>
      <Quotas />
    </StatusView>
  );
}
