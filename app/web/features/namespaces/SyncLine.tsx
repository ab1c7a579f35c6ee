import { syncStatus } from '@reverie/shared/contract/sync/sync';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../platform/daemon/api.ts';
import { useChooseSync } from '../../platform/queries/choose-sync.ts';
import { Switch } from '../../ui/Switch.tsx';
import css from './NamespaceDialog.module.css';

/** Whether this device syncs a namespace, where it is linked. */
export function SyncLine({ namespace }: { namespace: string }) {
  const { data: status } = useQuery({
    queryKey: ['sync', 'status'],
    queryFn: ({ signal }) => call(syncStatus, {}, { signal }),
  });
  const choose = useChooseSync();
  if (!status || status.relay === null) return null;
  return (
    <div className={css['line']}>
      <span>Sync it; who runs the relay can read it then</span>
      <Switch
        label={`Sync ${namespace}`}
        isOn={status.namespaces.some((one) => one.namespace === namespace)}
        isDisabled={choose.isPending}
        onChange={(sync) => choose.mutate({ namespace, sync })}
      />
    </div>
  );
}
