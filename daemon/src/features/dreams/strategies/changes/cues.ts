/** How a sentence stands to what was written before it: whether it says that something changed, holds still, or holds for once only. */
export interface Cues {
  /** Something changed: now, no longer, switched, from today. */
  readonly change: number;
  /** It holds for once, or a while: today, this week, until Thursday, while she is away. */
  readonly once: number;
  /** It comes beside what is there: also, too, another, a second. */
  readonly beside: number;
  /** It is as it was: still, as always, stays, again. */
  readonly still: number;
  /** It is one reading of many. */
  readonly reading: number;
  /** It gives a measure as it is at the time: `stands at 7.4`, `81,400 miles on the clock`. */
  readonly measure: number;
}

const words = (...lists: readonly string[]): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}])(?:${lists.join('|')})(?![\\p{L}])`, 'iu');

const CHANGE = words(
  'now|nowadays|these days|by now|no longer|any ?more|any longer|no more|since|switch(?:ed|es|ing)?|moved?|moves|moving|migrated?|changed|changes|replaced|instead|in place of|from (?:today|now|tomorrow|this|next|the)|as of|with effect|starting|effective|stopped|quit|gave up|given up|gave it up|became|become|turned out|turns out|actually|correction|corrected|wrong|misread|mistaken|was right|in fact|after all|in the end',
  'took over|takes over|taken over|handed over|left|retired|resigned|sold|cancelled|canceled|closed|deleted|decommissioned|uninstalled|dropped|gone|ended|expired|struck|lifted|abolished|scrapped|ditched|renamed|upgraded|downgraded|bumped|raised|lowered|increased|reduced|went up|went down|put up|rose|cut to|back to|back on|again since|than planned|than before|postponed|rescheduled|pushed back|brought forward|new|newly|first time|for good|signed over|was swapped|swapped|has been|have been|finally|at last|at long last|meanwhile|recently|lately|last (?:month|week|summer|winter|spring|autumn)|over the summer|(?:weeks?|months?|years?|days?) (?:later|after|without|ago)|used to|not the|rather than|pulled the plug|got rid|thrown out|threw out|let go|grew out|outgrew|over it|cured|healed|recovered|divorced|split|broke up|parted|married|engaged|pregnant|born|died|passed away',
  'jetzt|nun|nicht mehr|keine?n? .{1,20} mehr|seit|umgezogen|umgestellt|gewechselt|geändert|statt|stattdessen|ab sofort|ab heute|ab dem|inzwischen|mittlerweile|neuerdings|neu|neue[rsnm]?|aufgehört|doch|nur noch|verschoben|wieder',
  "désormais|maintenant|ne .{1,25} plus|n['’].{1,25} plus|depuis|changé|déménagé|remplacé|au lieu de|à partir d|arrêté|nouveau|nouvelle|finalement|reporté|dorénavant|ahora|ya no|desde|cambiado|cambió|mudó|mudado|en vez de|a partir de|dejó|dejado|nuevo|nueva|nu|niet meer|sinds|ora|adesso|non più|da oggi",
);
const ONCE = words(
  "today|yesterday|tonight|tomorrow|this (?:morning|afternoon|evening|weekend|week|time|once|friday|monday|sunday|saturday|tuesday|wednesday|thursday)|until|till|while|for now|for the time being|temporarily|for once|just this|exception|exceptionally|because of the|due to|forgot|on leave|is away|are away|on holiday|covers? for|stand-?in|this time|heute|gestern|morgen|diesmal|ausnahmsweise|bis|solange|aujourd['’]hui|hier|demain|cette fois|jusqu|hoy|ayer|mañana|esta vez|hasta",
);
const BESIDE = words(
  'also|too|as well|another|a second|second|both|besides|in addition|additionally|next to the|other|others|extra|further|more|each|auch|zusätzlich|noch ein(?:e[nrms]?)?|beide|aussi|en plus|encore|deux|también|además|otro|otra',
);
const STILL = words(
  'still|as (?:always|usual|ever|before|said|planned|agreed)|stays|stayed|remains?|unchanged|the same|same|again|confirmed|confirms|usual|usually|reminded|immer noch|weiterhin|nach wie vor|bleibt|wie immer|toujours|reste|comme d|sigue|todavía|como siempre',
);
const READING = words(
  'reading|readings|meter|measured|weigh(?:s|ed|ing)?|bill|bills|invoice|spent|scored?|ran|walked|swam|cycled|slept|in total|so far|coverage|p9[059]|balance|took|lasted|counted|odometer|mileage|votes|steps|won|lost|beat|finished|load test|benchmark|on the scale|harvest(?:ed)?|collected|picked|rechnung|gemessen|zählerstand|relevé|facture|for (?:january|february|march|april|may|june|july|august|september|october|november|december)',
);
/** What a measure is told by that moves of itself. */
const MEASURE = words(
  '(?:at|shows?|reads?|climbed to|rose to|fell to|dropped to|grew to|grown to) (?:now )?[€£$]?(?:\\d+[.,]\\d{1,2}(?![\\d:h]| ?(?:am|pm|uhr))|\\d+ ?(?:%|per ?cent|°|euros?|€|gb|tb|bar))(?= (?:on the|this|now|today|again|since|at full|in the|a kilo|\\p{Ll}+ a )|[,.;:]|$)|on the clock|\\d+ of \\d+|holds? \\d[\\d.,]* ?(?:gb|tb|mb)|counts?[,:]|temperature|in stock|downloads|subscribers|followers|ranking|load test|dipstick|ferritin|blood test|water level|highest|lowest|rating|record',
);

const has = (pattern: RegExp, text: string): number => Number(pattern.test(text));

/** Reads the cues of a text. */
export function cuesOf(text: string): Cues {
  return {
    change: has(CHANGE, text),
    once: has(ONCE, text),
    beside: has(BESIDE, text),
    still: has(STILL, text),
    reading: Math.max(has(READING, text), has(MEASURE, text)),
    measure: has(MEASURE, text),
  };
}

/** What excludes another reading of change words: strong ones alone tell a change. */
const STRONG = words(
  'no longer|any ?more|any longer|no more|switched|moved|migrated|replaced|instead|from today|from now|as of|stopped|quit|gave up|given up|took over|taken over|renamed|postponed|rescheduled|brought forward|these days|than planned|decommissioned|uninstalled|struck|now|got this wrong|misread|correction|was right|nicht mehr|ab sofort|ab heute|stattdessen|inzwischen|umgezogen|umgestellt|désormais|ne .{1,25} plus|ya no|ahora',
);

/** Whether a text says in so many words that something is not as it was. */
export function saysChange(text: string): number {
  return has(STRONG, text);
}

const OPEN =
  /\?\s*["”»)]*\s*$|^(?:[\p{L} ]{2,16}:\s)?(?:plan|plans|planned|goal|todo|to-do|estimated?|target|idea|resolution|hoping|budget|maybe|perhaps|possibly|proposal|candidates|options|would|could|might|should we|did|does|do we|is it|are we)(?!\p{L})|(?<!\p{L})(?:would|might|could|maybe|perhaps|vielleicht|würde[nt]?|könnte[nt]?|peut-être|wondering|wondered|whether)(?!\p{L})|^(?:if we|if i|had i|had we|were we|suppose)(?!\p{L})/iu;

/** Whether a text claims nothing: a question, a plan, a thought. */
export function isOpen(text: string): boolean {
  return OPEN.test(text);
}

const WISHED =
  /(?<!\p{L})(?:ask(?:s|ed|ing)? (?:for )?[€£$]?\d|asks? for|asked for|wants? (?:[€£$]\d|to (?:raise|move|switch|change))|would like|offer(?:s|ed)?|quotes? (?:us|me|for|of)|quoted|suggest(?:s|ed)?|propos(?:es|ed|al)|draft|if (?:we|i|they|he|she|you) (?:switch|move|change|raise)|rumou?rs?|jokes?|joked|dreamt|dreamed|thinks? (?:that|of|it|we)|hopes?|wishes|wish|considering|thinking (?:of|about)|not (?:in use |decided )?yet)(?!\p{L})/iu;

/** Whether a text tells what somebody asks for, offers or means to be so: the thing itself need not be. */
export function isWished(text: string): boolean {
  return WISHED.test(text);
}

const THIS_ONCE =
  /(?<!\p{L})(?:(?:this|next|on this) (?:week|time|once|monday|tuesday|wednesday|thursday|friday|saturday|sunday|weekend|afternoon|evening|morning)|for once|just this|today only|only today|tomorrow|diesmal|ausnahmsweise|cette fois|denne gangen|deze keer)(?!\p{L})/iu;

/** Whether a text tells of this one time alone: `this week the lesson is on Saturday`. */
export function isThisOnce(text: string): boolean {
  return THIS_ONCE.test(text);
}

const NORM =
  /(?<!\p{L})(?:should|must|has to|have to|is to be|are to be|ought to|at least|at most|no more than|not more than|no less than|not above|not below|between|limit|rated|recommended|target|minimum|maximum|up to|soll|muss|mindestens|höchstens)(?!\p{L})/iu;

/** Whether a text says how a measure should be, rather than how it was. */
export function isNorm(text: string): boolean {
  return NORM.test(text);
}
