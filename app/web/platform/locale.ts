import { z } from 'zod';
import { createStore } from './store.ts';

/** How dates and times are written, as a person chose it; null follows the browser. */
export interface DateChoice {
  /** Whose English, such as `en-US`. */
  region: string | null;
  time_zone: string | null;
}

const BROWSER: DateChoice = { region: null, time_zone: null };
const PLACE = 'reverie.dates';
const Kept = z.object({ region: z.string().nullable(), time_zone: z.string().nullable() }).catch(BROWSER);

/** What holds now; kept in the browser, so that the next visit begins with it. */
export const dates = createStore<DateChoice>(keptChoice());

/**
 * The English in which words, dates, times and numbers are written: of the chosen region, else of the browser's. British where there
 * is no browser, as in tests.
 */
export let locale: string = localeOf(dates.get());

/** Follows another choice from now on, in this window. */
export function followDates(choice: DateChoice): void {
  const { region, time_zone } = dates.get();
  if (choice.region === region && choice.time_zone === time_zone) return;
  if (choice.region === null && choice.time_zone === null) localStorage.removeItem(PLACE);
  else localStorage.setItem(PLACE, JSON.stringify(choice));
  locale = localeOf(choice);
  dates.set(choice);
}

/** English for the reader of a language: their own, if it is one, else with the order of day and month that they are used to. */
export function englishFor(language: string): string {
  const own = new Intl.Locale(language);
  if (own.language === 'en') return language;
  if (own.region === 'US') return 'en-US';
  const { hourCycle } = new Intl.DateTimeFormat(language, { hour: 'numeric' }).resolvedOptions();
  return hourCycle === 'h11' || hourCycle === 'h12' ? 'en-GB-u-hc-h12' : 'en-GB';
}

/** Makes what writes in a locale once for each locale. */
export function inLocale<T>(make: (locale: string) => T): () => T {
  let of: string | undefined;
  let made: T | undefined;
  return () => {
    if (made === undefined || of !== locale) made = make(locale);
    of = locale;
    return made;
  };
}

function localeOf({ region }: DateChoice): string {
  return region ?? ('document' in globalThis ? englishFor(navigator.language) : 'en-GB');
}

function keptChoice(): DateChoice {
  if (!('document' in globalThis)) return BROWSER;
  try {
    return Kept.parse(JSON.parse(localStorage.getItem(PLACE) ?? 'null'));
  } catch {
    // What stands there is no JSON, so it is not ours.
    return BROWSER;
  }
}
