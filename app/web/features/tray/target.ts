import type { Place, ViewPath } from '../../platform/place.ts';

/** What is shown in the main window. */
export interface TrayTarget {
  to: ViewPath;
  search: Place;
}
