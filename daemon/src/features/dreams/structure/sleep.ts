import { isoDay } from '../../../language/notes/noted-day.ts';
import type { Proposal } from '../proposal.ts';
import { lastDayOf } from './days.ts';
import { duesIn } from './forecast.ts';
import { firstSentence, type Note, type Notes, proposalOf } from './notes.ts';

const DAY = 86_400_000;
const MOST = 10;
/** Younger notes are not put away, however little they were asked for; nor what was due less long ago. */
const OLD = 365 * DAY;
/** Longer notes say more than what was due. */
const SENTENCES = 2;

/** Proposes to archive short notes of what was due over a year ago, that nobody recalled or changed since. Silent where nothing was ever recalled. */
export function sleep({ all, isVault, now }: Notes): Proposal[] {
  if (isVault || !all.some(({ memory }) => memory.wasRecalled)) return [];
  return all
    .flatMap((note): Proposal[] => {
      const { updatedAt, class: kind, isCut, wasRecalled } = note.memory;
      const isIdle = kind === 'note' && !isCut && !wasRecalled && now - updatedAt > OLD;
      if (!isIdle || note.sentences.length === 0 || note.sentences.length > SENTENCES) return [];
      const last = Math.max(...note.sentences.flatMap(duesIn).map(lastDayOf));
      return Number.isFinite(last) && now - last > OLD ? [proposed(note, last)] : [];
    })
    .slice(0, MOST);
}

function proposed(note: Note, last: number): Proposal {
  const { key } = note.memory;
  const text = firstSentence(note);
  return proposalOf('sleep', [{ note, text }], {
    title: text,
    body: `"${key}" was due on ${isoDay(last)} and was not recalled in the last 180 days. An archived memory is kept, and found where one asks for it.`,
    confidence: 0.7,
    change: { kind: 'archive', keys: [key] },
    content: `archive ${key}`,
  });
}
