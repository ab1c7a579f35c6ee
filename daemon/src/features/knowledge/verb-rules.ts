/** What a verb says of its subject. */
export interface VerbRule {
  readonly predicate: string;
  /** From the first word of the verb to its preposition. Negations are taken out before. */
  readonly verb: RegExp;
  readonly functional: boolean;
  /** Who or what may do it: a person (a name, `I`, `my sister`), a thing, or either. */
  readonly subject: 'person' | 'thing' | 'any';
  /** What the object has to be, where not any name or noun phrase. */
  readonly object?:
    'place' | 'amount' | 'date' | 'number' | 'name' | 'address' | 'activity' | 'site' | 'concern';
  /** Several objects may stand in a row: `nuts and shellfish`. */
  readonly list?: true;
  /** It happened, and holds since the date that is named or since it was said. */
  readonly change?: true;
  readonly confidence: number;
}

const rule = (
  predicate: string,
  verb: string,
  more: Partial<Omit<VerbRule, 'predicate' | 'verb'>> & { confidence: number },
): VerbRule => ({
  predicate,
  verb: new RegExp(`(?<=\\s|^)(?:${verb})(?=\\s)`, 'u'),
  functional: false,
  subject: 'any',
  ...more,
});

/** The verbs that rules know, each with its prepositions; the first that matches a clause reads it. */
export const VERB_RULES: readonly VerbRule[] = [
  rule(
    'lives_in',
    '(?:lives?|resides?|is living|are living|am living)(?: alone| together)?(?: with (?:my|our|his|her|\\p{Lu})[^,]{1,30}?)? (?:in|at|on)',
    {
      functional: true,
      subject: 'person',
      confidence: 0.95,
    },
  ),
  rule('lives_in', '(?:has |have )?(?:moved|relocated)(?: from [^,]{1,40}?)?(?: back)? to', {
    functional: true,
    subject: 'person',
    object: 'place',
    change: true,
    confidence: 0.85,
  }),
  rule('works_at', '(?:works?|is working|am working|is employed) (?:at|for)', {
    functional: true,
    subject: 'person',
    confidence: 0.9,
  }),
  rule('works_as', '(?:works?|is working|am working) as', {
    functional: true,
    subject: 'person',
    confidence: 0.9,
  }),
  rule('born', '(?:was|were|is) born (?:on|in|at)', { functional: true, subject: 'person', confidence: 0.9 }),
  rule('spouse', '(?:is|are|am|got) married to', { functional: true, subject: 'person', confidence: 0.9 }),
  rule('allergic_to', '(?:is|am|are) (?:\\p{Ll}+ly )?(?:allergic|intolerant) to', {
    subject: 'person',
    list: true,
    confidence: 0.95,
  }),
  rule('speaks', '(?:speaks?)(?: fluent)?', {
    subject: 'person',
    object: 'name',
    list: true,
    confidence: 0.85,
  }),
  rule('likes', '(?:really |also )?(?:likes?|loves?|adores?|enjoys?)', {
    subject: 'person',
    object: 'activity',
    list: true,
    confidence: 0.8,
  }),
  rule('prefers', 'prefers?', { subject: 'any', object: 'activity', confidence: 0.85 }),
  rule('dislikes', "(?:really )?(?:hates?|dislikes?|detests?|can[’']?t stand)", {
    subject: 'person',
    object: 'activity',
    list: true,
    confidence: 0.85,
  }),
  rule('plays', 'plays?', { subject: 'person', list: true, confidence: 0.8 }),
  rule('studies', '(?:studies|is studying|am studying)', { subject: 'person', confidence: 0.85 }),
  rule('teaches', 'teaches', { subject: 'person', confidence: 0.85 }),
  rule('drives', 'drives? an?', { subject: 'person', confidence: 0.85 }),
  rule(
    'port',
    '(?:listens?|is listening|runs?|is served|is reachable|is exposed|is) (?:up )?on (?:TCP |UDP )?port',
    { functional: true, subject: 'thing', object: 'number', confidence: 0.95 },
  ),
  rule('port', 'listens? on', { functional: true, subject: 'thing', object: 'number', confidence: 0.9 }),
  rule('address', '(?:is (?:reachable|available|served|hosted|at|under)|lives|listens)(?: at| on| under)?', {
    functional: true,
    subject: 'thing',
    object: 'address',
    confidence: 0.85,
  }),
  rule(
    'runs_on',
    '(?:runs?|is running|are running|is hosted|are hosted|is deployed|are deployed)(?: in production)? (?:on|at|by|to|under)',
    { functional: true, subject: 'thing', confidence: 0.85 },
  ),
  rule(
    'time',
    '(?:runs?|starts?|begins?|opens?|closes?)(?: (?:every|each) (?:day|night|morning|hour|week|\\p{Lu}\\p{Ll}+day))? at',
    { functional: true, subject: 'thing', object: 'number', confidence: 0.8 },
  ),
  rule('depends_on', '(?:depends? on|requires?)', { subject: 'thing', list: true, confidence: 0.8 }),
  rule('written_in', '(?:is|are) written in', { functional: true, subject: 'thing', confidence: 0.9 }),
  rule(
    'located_in',
    '(?:is|are) (?:kept|stored|located|parked|hidden|buried|filed) (?:in|at|on|under|behind)',
    { functional: true, subject: 'thing', confidence: 0.85 },
  ),
  rule('located_in', '(?:is|are) (?:at|in)', {
    functional: true,
    subject: 'thing',
    object: 'site',
    confidence: 0.8,
  }),
  rule('runs', 'runs', { object: 'concern', confidence: 0.75 }),
  rule('cost', '(?:costs?|is priced at)(?: us| me)?(?: about| around)?', {
    functional: true,
    subject: 'thing',
    object: 'amount',
    confidence: 0.9,
  }),
  rule('weight', 'weighs?(?: about| around)?', { functional: true, object: 'amount', confidence: 0.9 }),
  rule('expires', '(?:expires?|runs out|ends|is valid until)(?: on| in)?', {
    functional: true,
    subject: 'thing',
    object: 'date',
    confidence: 0.85,
  }),
  rule('due', '(?:is|are) due(?: on| by)?', {
    functional: true,
    subject: 'thing',
    object: 'date',
    confidence: 0.9,
  }),
  rule('date', '(?:starts?|begins?|opens?|takes? place|is)(?: on| in)?', {
    functional: true,
    subject: 'thing',
    object: 'date',
    confidence: 0.8,
  }),
  rule('uses', '(?:uses?|(?:is|are|am) using)', { confidence: 0.8 }),
  rule('owns', '(?:owns?|has|have) (?=(?:an?|one|two|three|four|five|\\d+) )', {
    subject: 'person',
    confidence: 0.7,
  }),
  rule('reports_to', 'reports? to', { functional: true, subject: 'person', confidence: 0.9 }),
  rule('maintains', '(?:maintains?|is responsible for|are responsible for)', {
    subject: 'person',
    confidence: 0.85,
  }),
];

/** A clause that says what is used now, and what no longer. */
export const SWITCH =
  /^(?<subject>.+?)\s+(?:(?:has|have)\s+)?(?:just\s+|finally\s+)?(?:switched|migrated|changed over|moved(?: over)?|changed)\s+(?:(?<thing>\p{L}[\p{L}\p{N} _./-]{1,40}?)\s+)?from\s+(?<from>\S.{0,40}?)\s+to\s+(?<to>\S.*)$/u;

/** A clause that says that a thing has a new version. */
export const UPGRADE =
  /^(?<subject>.+?)\s+(?:(?:has|have)\s+)?(?:upgraded|updated|bumped|downgraded|pinned)\s+(?<thing>\S.{0,40}?)\s+(?:from\s+\S+\s+)?to\s+(?:version\s+)?(?<to>v?\d\S*)(?<rest>.*)$/u;

/** A clause that says that one thing was bought or set up in the place of another. */
export const REPLACE =
  /^(?<subject>I|[Ww]e|\p{Lu}\p{Ll}+)\s+(?:(?:has|have)\s+)?replaced\s+(?<from>\S.{0,40}?)\s+(?:with|by)\s+(?<to>\S.*)$/u;
