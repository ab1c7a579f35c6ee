import { useNavigate, useRouter } from '@tanstack/react-router';
import type { TrayTarget } from '../features/tray/target.ts';
import { isInApp } from '../platform/desktop.ts';
import type { PageView } from '../views.ts';

/** One window, whoever opens it: in a browser one tab, in the desktop app its main window. */
const MAIN_WINDOW = 'reverie';

/** Opens something in the main window, for a small one beside it. */
export function useOpenMain(): (
  target: Omit<TrayTarget, 'to'> & { to: TrayTarget['to'] | PageView['to'] },
) => void {
  const router = useRouter();
  const navigate = useNavigate();
  return ({ to, search }) => {
    const { href } = router.buildLocation({ to, search });
    const opened = window.open(href, MAIN_WINDOW);
    // The app shows its main window and opens no other one. Where windows are blocked, it is opened in this one rather than not at all.
    if (!opened && !isInApp) void navigate({ to, search });
  };
}
