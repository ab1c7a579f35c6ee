import type { ReadSentence } from '../reading.ts';

const words = (...lists: readonly string[]): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}'’])(?:${lists.join('|')})(?![\\p{L}])`, 'iu');

const MONTHS =
  'january|february|march|april|may|june|july|august|september|october|november|december|spring|summer|autumn|winter|christmas|easter|new year';
/** Words by which a text says of itself that what it tells was otherwise before. */
const TOLD = words(
  'now|nowadays|these days|by now|no longer|not any longer|any ?more|any longer|no more|as (?:of|from)|(?:ever )?since|henceforth|instead(?! of \\p{L}+ing)|switched|moved|has moved|have moved|moving to|migrated|changed|changes to|was changed|replaced|replaces|renamed|took over|takes over|taken over|handed over|retired|resigned|sold|cancell?ed|closed down|decommissioned|uninstalled|dropped|expired|lapsed|lifted|abolished|scrapped|upgraded|updated|downgraded|bumped|raised|lowered|increased|reduced|went (?:up|down)|gone (?:up|down)|goes up|puts? (?:\\p{L}+ ){0,3}up(?! with)|rose|dearer|cheaper|cut (?:to|from)|back to|postponed|rescheduled|pushed back|put off|brought forward|became|become|has become|turned out|turns out|turned into|correction|corrected|i was wrong|misread|misheard|mistaken|typo|renewed|swapped|signed over|got rid|thrown out|outgrown|outgrew|grew out|grown|doubled|halved|gave up|given up|stopped|quit|finally|at last|for good|after all|used to|other than before|than before|than planned|until (?:now|then|last)|before that|in place of|latest|(?:is|are) (?:down|up) to|recently|lately|meanwhile|first (?:week|month|day) (?:at|in|as|with)',
  `from (?:now|today|tomorrow|next|this|here|then|the \\d{1,2}(?:st|nd|rd|th)|(?:\\d{1,2} )?(?:${MONTHS}))(?!(?: \\d+)? (?:to|until|till)(?!\\p{L}))`,
  `(?:from|since|as of|starting|effective|beginning) (?:in |on |with )?(?:${MONTHS})(?! (?:to|until|till)(?!\\p{L}))`,
  'this (?:year|term|season|month|week|time)|(?:last|past) (?:week|month|year|summer|winter|autumn|spring)|on (?:\\p{L}+ )?orders',
  'jetzt|nun|nicht mehr|seit|umgezogen|umgestellt|gewechselt|geändert|statt|stattdessen|ab (?:sofort|heute|dem|januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember)|inzwischen|mittlerweile|neuerdings|neue[rsnm]?|nur noch|verschoben|künftig|erhöht|gesenkt',
  "désormais|maintenant|(?:ne|n['’]).{1,25} plus|depuis|changé|déménagé|remplacé|au lieu de|à partir d\\p{L}*|nouveau|nouvelle|finalement|reporté|dorénavant|ahora|ya no|desde|cambiado|cambió|mudado|en vez de|a partir de|nuevo|nueva|niet meer|sinds|vanaf|nu|voortaan|ora|adesso|non più|nå|ikke lenger|heretter|siden",
);
/** `New code: …`, `our new code`; not `for new members`. */
const NEW =
  /(?:^|[.!?:]\s*|(?<!\p{L})(?:the|our|my|his|her|its|their|your|['’]s)\s)(?:brand[- ])?new(?:ly)?\s\p{L}/iu;

/** Whether a text tells a change itself, so that nobody has to be asked what holds. */
export function tellsChange(text: string): boolean {
  return TOLD.test(text) || NEW.test(text);
}

/** A text of so many characters is looked at whole. */
const SHORT = 400;

const known = new WeakMap<ReadSentence, boolean>();

/** Whether a sentence, or what stands around it, tells a change itself. */
export function isToldChange(sentence: ReadSentence): boolean {
  let isTold = known.get(sentence);
  if (isTold === undefined) known.set(sentence, (isTold = isToldIn(sentence)));
  return isTold;
}

function isToldIn(sentence: ReadSentence): boolean {
  const { of, text } = sentence;
  const { value } = of.memory;
  if (value.length <= SHORT) return tellsChange(value);
  const at = of.sentences.indexOf(sentence);
  const around = of.sentences.slice(Math.max(0, at - 1), at + 2);
  return tellsChange(around.length > 0 ? around.map((one) => one.text).join(' ') : text);
}
