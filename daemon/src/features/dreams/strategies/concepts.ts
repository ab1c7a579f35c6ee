import { meaningOf } from './synonyms.ts';

/** What a value can be a value of, by the words in which that is said; a line is an attribute. */
const LINES = `
port: port listen bind localhost socket reachable
code: code combination keypad pad disarm key hash star panel unlock type enter dial opens lock unlocks
secret: password login credentials sign
birth: birthday born turns turn age years-old birth
price: cost price fee rent pay charge rate subscription monthly expensive
hours: open close opening hours shut end sharp
lesson: lesson training practice course class swim piano choir football judo yoga gym rehearsal club
meeting: meet meeting standup sync call retro planning review
collect: collect come bin paper glass recycling truck
dose: dose tablet drop give medicine injection syrup capsule spray
keep: store keep retention retain delete purge rotate
timeout: timeout abort give-up
retries: retry retries attempt
version: version upgrade run require node python postgres
size: size wear fit
owner: owner own responsible charge maintain maintainer lead care contact ask
every: every interval poll scrape schedule cron nightly
due: due deadline expire valid end run-out renew submit
start: start begin opens departs
tools: install package manager lockfile build repo repository setup set-up clone ci node_modules dependency node_module
travel: drive walk takes train minutes bus
limit: limit maximum cap quota reject
phone: phone number call
`;
const CONCEPTS = new Map<string, Set<string>>();
for (const line of LINES.trim().split('\n')) {
  const [name = '', words = ''] = line.split(': ');
  for (const word of words.split(' ')) {
    const term = meaningOf(word);
    CONCEPTS.set(term, (CONCEPTS.get(term) ?? new Set()).add(name));
  }
}

/** The attributes that a term speaks of; undefined where it speaks of none. */
export function conceptsOf(term: string): ReadonlySet<string> | undefined {
  return CONCEPTS.get(term);
}

/** Whether two texts, by their terms, speak of one attribute. */
export function sharedConcepts(
  a: ReadonlySet<string>,
  b: ReadonlySet<string>,
  among?: ReadonlySet<string>,
): boolean {
  const ofA = new Set(
    [...a].flatMap((term) => [...(CONCEPTS.get(term) ?? [])]).filter((name) => !among || among.has(name)),
  );
  return [...b].some((term) => [...(CONCEPTS.get(term) ?? [])].some((name) => ofA.has(name)));
}

/** Verbs that say little of who or what has a value. */
const LIGHT = new Set(
  'get come want put take make run go set give let keep stand lie do show tell call look work mean turn happen try write note thing sure fine'
    .split(' ')
    .map(meaningOf),
);

export function isLight(term: string): boolean {
  return LIGHT.has(term);
}

/** Nouns that half of a namespace could be about: by themselves they are no subject. */
const GENERIC = new Set(
  `service server app api tool project module door house room school kid day number file page test dev machine job script name list
  rule note home work people garden kitchen person thing week month year minute hour client user request data code port old new
  address name morning evening night team office plan side end top small big local free long`
    .split(/\s+/)
    .map(meaningOf),
);

/** Whether a term can be what two memories are about: no verb of every day, no attribute, no noun of every trade. */
export function isSpecific(term: string): boolean {
  return !LIGHT.has(term) && !CONCEPTS.has(term) && !GENERIC.has(term) && !/^\d+$/u.test(term);
}
