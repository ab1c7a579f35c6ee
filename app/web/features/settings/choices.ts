import { englishFor } from '../../platform/locale.ts';

/** Ways to write dates and times that differ, each by a region that writes so. */
const REGIONS = ['en-GB', 'en-AU', 'en-US', 'en-CA', 'en-ZA'];

const SAMPLE = Date.UTC(2026, 4, 17, 14, 30);

/** A date and a time as a region writes them. */
export function sampleOf(region: string): string {
  const style = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' } as const;
  return new Intl.DateTimeFormat(region, style).format(SAMPLE);
}

/** The regions to choose from, and the chosen one among them; of those that write alike the first. */
export function regionChoices(chosen: string | null): { value: string; label: string }[] {
  const regions = [...new Set([...(chosen === null ? [] : [chosen]), ...REGIONS])];
  return regions
    .map((value) => ({ value, label: sampleOf(value) }))
    .filter(({ label }, at, all) => all.findIndex((one) => one.label === label) === at);
}

/** As the browser writes them. */
export function browsersSample(language: string): string {
  return sampleOf(englishFor(language));
}

/** A zone as one says it: `Los Angeles (America)`. */
export function zoneName(zone: string): string {
  const [area, ...place] = zone.split('/');
  return place.length === 0 ? zone : `${place.toReversed().join(', ').replaceAll('_', ' ')} (${area})`;
}
