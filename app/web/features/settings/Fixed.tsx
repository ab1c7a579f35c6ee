import type { ReactNode } from 'react';
import type { Settings } from './queries.ts';

/** What sets a setting from outside, so that it is not changed here; undefined where nothing does. */
export function fixedBy(settings: Settings | undefined, name: string): string | undefined {
  return settings?.fixed.find((one) => one.name === name)?.by;
}

/** Says what sets a setting, instead of what it does. */
export function Fixed({ by, children }: { by: string | undefined; children?: ReactNode }) {
  if (by === undefined) return children;
  return `Set by ${by}: change it there, and start Reverie again.`;
}
