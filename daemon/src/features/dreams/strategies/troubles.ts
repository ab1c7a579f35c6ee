import { meaningOf } from './synonyms.ts';

/** Kinds of things that go wrong, by the words in which people and logs say so. */
const LINES = `
fail: fail failure failing failed flaky red crash error exception broke broken timeout hang hung stuck freeze froze frozen outage oom killed abort aborted unreachable drop dropped disconnect disconnected down reset 500 502 503 504 unstable flake rerun jam jammed blocked offline overheated tripped econnreset etimedout econnrefused enospc deadlock restart restarted restarting dead died glitch corrupted corrupt stale
leak: leak drip damp puddle flooded flood wet soaked mould
pressure: pressure refill refilled top topped cold lukewarm
noise: noise rattle rattling knock knocking squeak squeaking bang banging barking
pain: headache migraine nausea dizzy pain ache hurt cramp sore throbbing stiff backache toothache earache
ill: cough fever sick vomit vomited threw rash itch sneeze sneezing hives wheeze wheezing asthma nosebleed cold flu infection
sleep: insomnia awake woke nightmare sleepless
late: late delay delayed missed cancel cancelled no-show overslept waited skipped
forget: forget forgot forgotten lost misplaced locked
empty: empty flat drained ran full overflow overflowing overflowed puncture
quarrel: argue argued quarrel tantrum cried complain complained shouted fight fought
bill: overcharged overdraft double-charged reminder
`;

const CLASS = new Map<string, string>();
for (const line of LINES.trim().split('\n')) {
  const [name = '', words = ''] = line.split(': ');
  for (const word of words.split(' ')) CLASS.set(meaningOf(word), name);
}

/** Troubles that say enough by themselves: who has a headache four times has a recurring headache. */
const SYMPTOMS = new Set(
  'headache migraine nausea dizzy rash nosebleed insomnia nightmare puncture outage cramp toothache earache backache asthma hives wheezing'
    .split(' ')
    .map(meaningOf),
);

/** What kind of trouble a term speaks of, if of any. */
export function troubleOf(term: string): string | undefined {
  return CLASS.get(term);
}

export function isSymptom(term: string): boolean {
  return SYMPTOMS.has(term);
}
