/** How a sentence means what it says; all false where it simply claims it. */
export interface SentenceModes {
  readonly question: boolean;
  /** If, might, maybe, would, an idea, an estimate. */
  readonly hypothetical: boolean;
  /** What is going to be, or was intended. */
  readonly plan: boolean;
  /** What was so, and is not claimed to be. */
  readonly past: boolean;
  /** One value of many over time: a reading, a bill, a score. */
  readonly reading: boolean;
  /** What somebody thinks. */
  readonly opinion: boolean;
  /** That something changed, or was corrected. */
  readonly change: boolean;
}

const word = (words: string): RegExp => new RegExp(`(?:^|[^\\p{L}])(?:${words})(?![\\p{L}])`, 'iu');

const QUESTION =
  /\?\s*["”»)]*\s*$|^(?:what|when|who|where|why|how|which|is|are|do|does|did|can|could|should|shall|will)\b[^.!]*\?/iu;
const HYPOTHETICAL = word(
  'might|maybe|perhaps|would|could|should we|suppose|assuming|considering|considered|consider|probably|possibly|wish|hopefully|estimate[sd]?|guess|proposal|propose[sd]?|suggest(?:s|ed)?|draft|for example|e\\.g\\.|vielleicht|würde[nt]?|könnte[nt]?|peut-être|offer(?:s|ed)?|quoted?|imagine|dreamed|dreamt|what about|idea:|in theory|not sure|i think|unclear|check whether|asked (?:if|whether)|wonder(?:s|ed|ing)?',
);
/** `If`, but not `only if`, and not `let me know if`: what follows is imagined. `May` with a capital is a month. */
const IMAGINED = /^if\s|(?<=[;,—]\s)if\s|\b(?:we|i|he|she|it|they|you)\s(?:may|might)\s/iu;
const PLAN = word(
  "will|going to|plan(?:s|ned)? to|planned|want(?:s|ed)? to|would like to|intend(?:s|ed)?|target|goal|todo|to-do|next (?:week|month|year|spring|summer|autumn|winter)|soon|some day|let's|we'll|i'll|werden|geplant|wird|planning|roadmap|aiming|from (?:january|february|march|april|may|june|july|august|september|october|november|december)",
);
const PAST = word(
  'used to|previously|formerly|back then|at the time|at first|originally|before that|in the old days|had been|as a child|früher|damals|autrefois|last year|no longer|any ?more|not yet|until (?:last|now|\\d{4})|in those days',
);
const READING = word(
  'reading|readings|meter|cubic metres|measured|weigh(?:s|ed)?|bill|bills|invoice|spent|scored?|ran|walked|swam|cycled|slept|in total|so far|coverage|p9[059]|blood pressure|balance|streak|rechnung|gemessen|zählerstand|for (?:january|february|march|april|may|june|july|august|september|october|november|december)|bought|sold|counted|finished|currently at|mileage|odometer|kilometerstand|votes|steps|temperature was|cost us|refuelled|filled up|tanked|harvest(?:ed)?|burned|down from|up from|this (?:week|month|time)|last (?:night|week|month)|stand(?:s)? at',
);
const OPINION = word(
  'thinks?|thought|believes?|reckons?|finds|found it|in (?:my|his|her|their) opinion|opinion|feels like|claims|claimed|according to|swears|meint|findet|trouve|vote[sd]?|argue[sd]?|joke[sd]?|rumou?r',
);
const CHANGE = word(
  'now|moved|moves|switched|changed|instead|no longer|any ?more|raised|lowered|increased|reduced|upgraded|migrated|replaced|renamed|became|since (?:today|yesterday|monday|tuesday|wednesday|thursday|friday)|correction|corrected|new term|update[d]?|postponed|rescheduled|jetzt|umgezogen|ab sofort|bumped|from now on|stopped|quit|gave up|finally',
);

/** Reads the marks of a sentence. */
export function modesOf(sentence: string): SentenceModes {
  return {
    question: QUESTION.test(sentence),
    hypothetical: HYPOTHETICAL.test(sentence) || IMAGINED.test(sentence),
    plan: PLAN.test(sentence),
    past: PAST.test(sentence),
    reading: READING.test(sentence),
    opinion: OPINION.test(sentence),
    change: CHANGE.test(sentence),
  };
}
