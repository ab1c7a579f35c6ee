import { loadFindDates } from '../../../language/dates.ts';
import { type Due, duesIn } from './due.ts';
import { isRegular, rhythmOf } from './intervals.ts';
import { type Reading, readingOf, type ReadMemory } from './reading.ts';
import { type Recurrence, recurrencesOf, tellingSentence } from './recurrences.ts';
import type { Proposal, Strategy } from './strategy.ts';
import { isoDate, longDate, shorten } from './telling.ts';

const DAY = 86_400_000;
const MOST = 20;
/** What is further away is not news yet. */
const HORIZON = 400 * DAY;
/** Occasions that a rhythm must have had before anything is told from it. */
const LEAST = 4;

/** Says what is due next: explicit dates that are neither past nor done, and what recurs so regularly that it can be told. */
export const forecast: Strategy = {
  name: 'forecast',
  async run(view, { progress, cancelled }) {
    const findDates = await loadFindDates();
    const reading = readingOf(view);
    const dues: Due[] = [];
    for (const [index, memory] of reading.memories.entries()) {
      if (index % 100 === 0) {
        if (cancelled()) return [];
        progress(index, reading.memories.length * 2);
      }
      dues.push(...duesIn(memory, { findDates, now: view.now }));
    }
    const open = dues.filter((due) => due.on <= view.now + HORIZON && !isSettled(due, reading));
    const next = withoutRepeats(open).map((due) => dueProposal(due, view.now));
    const rhythms = recurrencesOf(reading, {
      isStopped: cancelled,
      step: (done) => progress(1 + done, 2),
    }).flatMap((recurrence) => rhythmProposal(recurrence, view.now) ?? []);
    progress(1, 1);
    return [...next.sort((a, b) => b.confidence - a.confidence), ...rhythms].slice(0, MOST);
  },
};

const DONE =
  /(?<!\p{L})(?:done|paid|sent|submitted|handed in|renewed|cancelled|canceled|returned|filed|signed|settled|finished|extended|collected|picked up|delivered|posted|registered|applied|confirmed|completed|got the new|no longer needed|took place|went well|bezahlt|erledigt|abgegeben|verschickt|gekündigt|payé|called off|fell through|postponed|moved|rescheduled)(?!\p{L})/iu;

/** Whether a later memory says that it is done, off, or on another day. */
function isSettled({ sentence, said: date, by }: Due, reading: Reading): boolean {
  const { of } = sentence;
  // The date and the word that makes it due are not what it is about.
  const aside = `${date} ${by}`.toLowerCase();
  const about = sentence.tokens.flatMap(({ says, shape, term, text }) =>
    says && shape !== 'number' && !aside.includes(text.toLowerCase()) ? [term] : [],
  );
  const rare = [...new Set([...about, ...of.keyTerms])].filter(
    (term) => reading.frequency(term) <= Math.max(6, reading.memories.length * 0.015),
  );
  if (rare.length === 0) return false;
  return reading.memories.some(
    (later) =>
      later.memory.time > of.memory.time &&
      rare.filter((term) => later.terms.has(term)).length >= Math.min(2, rare.length) &&
      later.sentences.some(
        (said) =>
          DONE.test(said.text) &&
          said.tokens.some(({ term }) => rare.includes(term)) &&
          !/(?<!\p{L})(?:to be|must be|has to be|not|yet|will be|should be)(?!\p{L})/iu.test(said.text),
      ),
  );
}

/** One a sentence, the first that it names: the second is an end of a range, or another way to say it. */
function withoutRepeats(dues: readonly Due[]): Due[] {
  const kept = new Map<string, Due>();
  for (const due of dues) {
    const id = `${due.sentence.of.memory.id} ${due.sentence.text}`;
    if (!kept.has(id)) kept.set(id, due);
  }
  return [...kept.values()];
}

const SURE = { deadline: 0.9, end: 0.85, appointment: 0.8, start: 0.6 } as const;

function dueProposal(due: Due, now: number): Proposal {
  const { sentence, on, said, what, by } = due;
  const { memory } = sentence.of;
  const days = Math.round((on - Math.floor(now / DAY) * DAY) / DAY);
  const told = said.includes(String(new Date(on).getUTCFullYear()))
    ? ''
    : ` It says "${said}", written on ${longDate(memory.time)}.`;
  return {
    strategy: 'forecast',
    title: shorten(`${longDate(on)}: ${about(sentence.of)} (${by})`, 200),
    body: `"${memory.key}" names ${longDate(on)} (${isoDate(on)}), ${days === 0 ? 'which is today' : days === 1 ? 'which is tomorrow' : `${days} days from ${longDate(now)}`}.${told} Nothing written later says that it is done.`,
    evidence: [{ key: memory.key, sentence: sentence.text }],
    confidence: SURE[what],
    content: `due ${isoDate(on)}`,
  };
}

function about({ memory, sentences }: ReadMemory): string {
  return `${memory.key}: ${shorten(sentences[0]?.text ?? '', 80)}`;
}

/** What a rhythm lets expect; undefined where it has ended, or is none. */
function rhythmProposal(of: Recurrence, now: number): Proposal | undefined {
  const days = of.occasions.map(({ of: { day } }) => day);
  const rhythm = rhythmOf(days);
  const last = days.at(-1);
  if (!rhythm || last === undefined || of.strength < 0.85 || days.length < LEAST || !isRegular(rhythm))
    return undefined;
  const today = Math.floor(now / DAY);
  if (today - last > 2 * rhythm.every) return undefined;
  const next = Math.max(today, Math.round(last + rhythm.every));
  const spread = Math.max(1, Math.round(rhythm.spread));
  return {
    strategy: 'forecast',
    title: shorten(
      `About ${longDate(next * DAY)} (± ${spread} days), again: ${of.terms.filter((term) => !term.startsWith('!')).join(', ')}`,
      200,
    ),
    body: `It happened ${days.length} times, every ${Math.round(rhythm.every)} ± ${spread} days, the last time on ${longDate(last * DAY)}. If that goes on, the next is about ${longDate(next * DAY)} (${isoDate(next * DAY)}).`,
    evidence: of.occasions
      .slice(-6)
      .map((occasion) => ({ key: occasion.of.memory.key, sentence: tellingSentence(occasion, of.terms) })),
    confidence: 0.55,
    content: `expect ${isoDate(next * DAY)}`,
  };
}
