import { loadFindDates } from '../../../language/dates.ts';
import { type Due, duesIn } from './due.ts';
import { dueSheets } from './due-sheets.ts';
import { isRegular, type Rhythm, rhythmOf } from './intervals.ts';
import { readingOf, type ReadSentence } from './reading.ts';
import { type Recurrence, recurrencesOf, tellingSentence } from './recurrences.ts';
import { withoutSettled, withoutSuperseded } from './settled.ts';
import type { Proposal, Strategy } from './strategy.ts';
import { isoDate, longDate, shorten } from './telling.ts';

const DAY = 86_400_000;
const MOST = 20;
/** What is further away is not news yet. */
const HORIZON = 400 * DAY;
/** How sure a recurrence must be for the next to be told. */
const SURE_RHYTHM = 0.7;
/** Occasions that a rhythm must have had before anything is told from it. */
const LEAST = 5;
/** Spread of its gaps, as a share of their mean, at most; what fails makes no appointments, and has to be steadier. */
const STEADY = { failing: 0.1, other: 0.2 } as const;

/**
 * From how many memories on a name is one of the house, and its deadlines ours. Of a name in a single memory two of sixteen were nobody's business
 * (`pairs/dues.jsonl`); from two on none was, in any open set.
 */
const FAMILIAR = { least: 2, share: 0.001 } as const;
/** From how many memories on somebody is of the household. */
const CLOSE = { least: 8, share: 0.05 } as const;

/** Says what is due next: explicit dates that are neither past nor done, and what recurs so regularly that it can be told. */
export const forecast: Strategy = {
  name: 'forecast',
  sheets: dueSheets,
  async run(view, { progress, cancelled }) {
    const findDates = await loadFindDates();
    const reading = readingOf(view);
    const often =
      ({ least, share }: { least: number; share: number }) =>
      (term: string) =>
        reading.frequency(term) >= Math.max(least, reading.memories.length * share);
    const known = { isFamiliar: often(FAMILIAR), isClose: often(CLOSE) };
    const dues: Due[] = [];
    for (const [index, memory] of reading.memories.entries()) {
      if (index % 100 === 0) {
        if (cancelled()) return [];
        progress(index, reading.memories.length * 2);
      }
      dues.push(...duesIn(memory, { findDates, now: view.now, known }));
    }
    const near = dues.filter((due) => due.on <= view.now + HORIZON);
    const open = withoutSettled(withoutSuperseded(near, reading), reading);
    const next = open.map((due) => dueProposal(due, view.now));
    const rhythms = recurrencesOf(view, {
      isStopped: cancelled,
      step: (done) => progress(1 + done, 2),
    }).flatMap((recurrence) => rhythmProposal(recurrence, view.now) ?? []);
    progress(1, 1);
    return [...next.sort((a, b) => b.confidence - a.confidence), ...rhythms].slice(0, MOST);
  },
};

const SURE = { deadline: 0.9, end: 0.85, appointment: 0.8, event: 0.65 } as const;

function dueProposal(due: Due, now: number): Proposal {
  const { sentence, on, grain, said, what, by } = due;
  const { memory } = sentence.of;
  const isMonth = grain === 'month';
  const days = Math.round((on - Math.floor(now / DAY) * DAY) / DAY);
  const written = said.includes(String(new Date(on).getUTCFullYear()))
    ? ''
    : ` It says "${said}", written on ${longDate(memory.time)}.`;
  const [date, iso] = isMonth
    ? [longDate(on).replace(/^\d+ /u, ''), isoDate(on).slice(0, 7)]
    : [longDate(on), isoDate(on)];
  const away = isMonth
    ? 'no day of it'
    : days === 0
      ? 'which is today'
      : days === 1
        ? 'which is tomorrow'
        : `${days} days from ${longDate(now)}`;
  return {
    strategy: 'forecast',
    title: shorten(`${date}: ${about(sentence)} (${by})`, 200),
    body: `"${memory.key}" names ${date} (${iso}), ${away}.${written} Nothing written later says that it is done.`,
    evidence: [{ key: memory.key, sentence: sentence.text }],
    confidence: SURE[what],
    content: `due ${iso}`,
  };
}

function about({ of, text }: ReadSentence): string {
  return `${of.memory.key}: ${shorten(text, 80)}`;
}

/** What is told ahead has to be steadier than what is called regular looking back. */
function isSteady(rhythm: Rhythm, { occasions }: Recurrence): boolean {
  const isFailing = occasions.filter(({ isFailure }) => isFailure).length * 2 > occasions.length;
  return isRegular(rhythm) && rhythm.spread / rhythm.every <= (isFailing ? STEADY.failing : STEADY.other);
}

/** What a rhythm lets expect; undefined where it has ended, or is none. */
function rhythmProposal(of: Recurrence, now: number): Proposal | undefined {
  const days = of.occasions.map(({ of: { day } }) => day);
  const rhythm = rhythmOf(days);
  const last = days.at(-1);
  if (
    !rhythm ||
    last === undefined ||
    of.strength < SURE_RHYTHM ||
    days.length < LEAST ||
    !isSteady(rhythm, of)
  )
    return undefined;
  const today = Math.floor(now / DAY);
  // One that is overdue by more than its spread may have ended, or was not written down.
  if (today - last > rhythm.every + 2 * rhythm.spread + 1) return undefined;
  const expected = Math.round(last + rhythm.every);
  const next = Math.max(today, expected);
  if (next * DAY > now + HORIZON) return undefined;
  const spread = Math.max(1, Math.round(rhythm.spread));
  return {
    strategy: 'forecast',
    title: shorten(`About ${longDate(next * DAY)} (± ${spread} days), again: ${of.terms.join(', ')}`, 200),
    body: `It happened ${days.length} times, every ${Math.round(rhythm.every)} ± ${spread} days, the last time on ${longDate(last * DAY)}. If that goes on, the next is about ${longDate(next * DAY)} (${isoDate(next * DAY)}).`,
    evidence: of.occasions
      .slice(-6)
      .map((occasion) => ({ key: occasion.of.memory.key, sentence: tellingSentence(occasion, of.terms) })),
    confidence: 0.55,
    // The day that it was to be: one that is overdue would be another proposal each day.
    content: `expect ${isoDate(expected * DAY)}`,
  };
}
