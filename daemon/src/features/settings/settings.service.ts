import type { getSettings } from '@reverie/shared/contract/system/settings';
import type { Reply } from '@reverie/shared/contract/route';
import type { Config } from '../../config/config.ts';
import type { Settings } from '../../config/settings-file.ts';

/** What a person chooses here, as it stands in the file. */
const NAMES = [
  'thoughts.namespace',
  'page.theme',
  'page.region',
  'page.time_zone',
  'dream.schedule',
  'dream.budget_tokens',
  'trash.days',
] as const;

/** What a person chose for every window, and what of it a variable or flag of the start holds. */
export function shownSettings(
  settings: Settings,
  { thoughts, page, dream, trash }: Config,
): Reply<typeof getSettings> {
  const isFixed = (name: string) => ['variable', 'flag'].includes(settings.sourceOf(name));
  return {
    thoughts,
    page: { theme: page.theme, region: page.region ?? null, time_zone: page.time_zone ?? null },
    dream: { schedule: dream.schedule, budget_tokens: dream.budget_tokens },
    trash,
    fixed: NAMES.filter(isFixed).map((name) => ({ name, by: settings.describe(name) })),
  };
}
