import ModelsView from '../../features/models/ModelsView.tsx';
import { allows, session } from '../../platform/daemon/session.ts';
import { useStore } from '../../platform/store.ts';

/** Language models, for who may choose them. */
export default function ModelsPage() {
  return <ModelsView isOwner={allows(useStore(session), 'owner')} />;
}
