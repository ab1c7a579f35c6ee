import type { CodingSession } from '@reverie/shared/contract/sessions/sessions';

/** What each window of a session gets. */
export interface ActingProps {
  session: CodingSession;
  onClose: () => void;
}
