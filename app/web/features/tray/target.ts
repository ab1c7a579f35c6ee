import type { Place, View } from '../../platform/place.ts';

/** What is shown in the main window. */
export interface Target {
  to: View;
  search: Place;
}
