import { themes } from '@reverie/shared/contract/system/settings';
import { createStore } from './store.ts';

export type Theme = (typeof themes)[number];

const PLACE = 'reverie.theme';

/** What the reader chose; `system` follows the machine. */
export const theme = createStore<Theme>('system');

/** Reads the choice of an earlier visit and applies it. */
export function startTheme(storage: Pick<Storage, 'getItem'>, root: HTMLElement): void {
  apply(root, themes.find((one) => one === storage.getItem(PLACE)) ?? 'system');
}

/** Changes the theme and remembers it on this machine, where it is another than what holds by itself. */
export function chooseTheme(
  storage: Pick<Storage, 'setItem' | 'removeItem'>,
  root: HTMLElement,
  chosen: Theme,
): void {
  if (chosen === 'system') storage.removeItem(PLACE);
  else storage.setItem(PLACE, chosen);
  apply(root, chosen);
}

function apply(root: HTMLElement, chosen: Theme): void {
  if (chosen === 'system') delete root.dataset['theme'];
  else root.dataset['theme'] = chosen;
  theme.set(chosen);
}
