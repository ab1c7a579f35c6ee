import { isOwnPage, placeIn } from '../bridge/address.ts';
import type { Desktop, Rules } from '../desktop.ts';

/** What a page may use: it writes to the clipboard where somebody presses a button to copy. Nothing else is asked for. */
const ALLOWED: ReadonlySet<string> = new Set(['clipboard-sanitized-write']);

/** Where an address leads that a page wants opened: into the main window, to the browser, or nowhere. */
export function whereTo(address: string): { kind: 'main'; place: string } | { kind: 'browser' | 'nowhere' } {
  if (isOwnPage(address)) return { kind: 'main', place: placeIn(address) };
  const isWeb = URL.canParse(address) && ['http:', 'https:'].includes(new URL(address).protocol);
  return { kind: isWeb ? 'browser' : 'nowhere' };
}

interface RulesDeps {
  desktop: Pick<Desktop, 'openExternal'>;
  open: (place: string) => void;
}

/** The rules of every window: no page but ours, no new window, next to no permission. */
export function rulesOf({ desktop, open }: RulesDeps): Rules {
  return {
    mayNavigate: isOwnPage,
    wantsWindow(address) {
      const to = whereTo(address);
      if (to.kind === 'main') open(to.place);
      else if (to.kind === 'browser') desktop.openExternal(address);
    },
    mayUse: (permission, address) => ALLOWED.has(permission) && isOwnPage(address),
  };
}
