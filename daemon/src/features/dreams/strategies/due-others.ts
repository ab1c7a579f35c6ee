import type { DateAhead } from './due-dates.ts';
import type { ReadSentence } from './reading.ts';
import { wordLore } from './word-lore.ts';

const words = (said: string): RegExp => new RegExp(`(?<![\\p{L}])(?:${said})(?![\\p{L}])`, 'iu');

/** Whoever writes of himself, or of what he does with others, writes of his own days. */
const MINE = words(
  "i|i['’](?:m|ve|ll|d)|me|my|mine|we|we['’](?:re|ve|ll|d)|us|our|ours|user|ich|mich|mir|mein\\p{L}*|wir|uns|unser\\p{L}*|je|moi|mon|ma|mes|nous|notre|nos|yo|mi|mis|nosotros|nuestr\\p{L}+",
);
/** What is asked of whoever reads it, and who comes to him. */
const ASKED = words(
  "wants?|wanted by|needs? (?!to(?!\\p{L}))|expects?|asks?|asked|promised|waits? for|for me|with me|invit(?:es|ed)|marr(?:y|ies)|wedding|party|funeral|christening|visits?|visiting|comes?|coming|arrives?|stays?|brings?|picks? (?:me|us) up|until then|bring|buy|get|send|book|call|don['’]t forget|remember|collect|return|prepare|help",
);
/** Kin and neighbours of another household, and whoever else has days of his own. */
const OUTSIDER =
  '(?:cousin|neighbou?r|brother-in-law|sister-in-law|brother|sister|colleague|co-worker|workmate|uncle|aunt|nephew|niece|friend|tenant|flatmate|ex|competitor|schwager|schwägerin|nachbar(?:n|in)?|kolleg(?:e|in)|cousine|tante|onkel|freund(?:in)?|voisin|voisine|collègue|beau-frère|belle-sœur)s?';
const OF_OUTSIDER = new RegExp(
  `(?:^|[:;,—]\\s|(?<!\\p{L})of )(?:(?:my|our|the|a|his|her|their|mein\\p{L}*|unser\\p{L}*|mon|ma|notre)\\s)?(?:\\p{L}+\\s)?${OUTSIDER}(?:['’]s?)?(?![\\p{L}-])`,
  'iu',
);
/** `The Johanssons move out`. */
const FAMILY = /^The \p{Lu}\p{Ll}+s (?=\p{Ll})/u;
/** `Henk must give notice`, `Marta flies`: what somebody with a name does himself. */
const DOES_HIMSELF =
  /^(?<who>\p{Lu}\p{Ll}+)(?:\s\p{Lu}\p{Ll}+)?\s(?:has to|must|needs to|should|will|is to|is going to|flies|leaves|moves|starts|begins|goes|travels|retires|is away|is off|is on holiday|hands in|launches|releases|announces|fliegt|zieht um|déménage)(?!\p{L})/u;
const IS_AWAY =
  /^(?:holidays?|leave|vacation|urlaub|congés?) (?:of|von|de) (?<who>\p{Lu}\p{Ll}+)|^(?<whose>\p{Lu}\p{Ll}+) (?:is )?(?:on leave|on holiday|away|out of office|im urlaub|en congé)(?!\p{L})/iu;
/** `Otis' mother has her exam`, `Farrah flies to Lahore`: whatever else is said, it is their day. */
const OF_SOMEBODYS_KIN =
  /^(?:\p{L}+: )?\p{Lu}\p{Ll}+(?:['’]s|(?<=s)['’])\s(?:mother|mum|mom|father|dad|parents|wife|husband|partner|son|daughter|brother|sister|cousin|aunt|uncle|friend|boss|neighbour|family)(?!\p{L})/u;
const GOES_HIMSELF =
  /^(?:\p{L}+: )?(?:(?:Mrs?|Ms|Miss|Herr|Frau|Mme|Sra?)\.?\s)?(?<who>\p{Lu}\p{Ll}+)(?:\s\p{Lu}\p{Ll}+)?\s(?:flies|sells|celebrates|performs|graduates|leaves|goes|travels|sails|retires|emigrates|is away|is off|is on (?:holiday|leave)|moves (?:to|out|in|house|into))(?!\p{L})/u;
/** What is asked of whoever passes by. */
const POSTED =
  /(?<!\p{L})(?:poster|flyer|leaflet|advert(?:isement)?|notice (?:in|on|at)|sign (?:in|on|at)|headline|banner|billboard|plakat|affiche)(?!\p{L})[^"“„]{0,60}["“„][^"”]*$/iu;
/** A price that holds until a day, where nothing says that anybody wants it. */
const PRICE_UNTIL =
  /(?<!\p{L})(?:offers?|sales?|discount|cheaper|reduced|half[- ]price|percent|per cent)(?!\p{L})[^.;]*(?<!\p{L})(?:until|till|through|bis|jusqu)(?!\p{L})|(?:%|[€£$]\s?\d+\S*|\d\s?(?:euros?|pounds?|dollars?))\s(?:each |only |off )?(?:until|till|through|bis)(?!\p{L})/iu;
const WANTED_PRICE =
  /(?<!\p{L})(?:valid|order|buy|book|register|sign up|apply|ask|use|renew|cancel|decide|pay(?:able)?|paid|owe|early[- ]bird|must|has to|have to|need|ours?|we|i|my|me|us)(?!\p{L})/iu;
/** A wish that nobody holds to. */
const VAGUE =
  /(?<!\p{L})(?:(?:really|probably) (?:should|ought to)|should (?:really|probably|do something)|ought to|some ?day|some time|at some point|one of these days|would be (?:nice|good|lovely)|would love|hope(?:s|fully)?|with (?:any |some )?luck|if all goes well)(?!\p{L})/iu;
/** A feast is a day for whoever has to be done by it, and a season for all others. */
const FEAST = /^(?:the )?(?:christmas|easter|new year|halloween|weihnachten|noël|ostern|pâques|silvester)/iu;
const HARD =
  /(?<!\p{L})(?:must|due|deadline|latest|no later|has to|have to|needs? to|wants?|promised|bitte|muss|müssen|expires?|runs? out|otherwise|or else|notice|send|post|return|pay|spätestens)(?!\p{L})/iu;
/** What is open or shut for everybody; but what is registered for, and where children and colleagues go, closes for somebody. */
const HOURS = words(
  'open(?:s|ed)?(?! (?:the|a|an|my|our|up))|closed|closes|opening hours|opening times|winter hours|summer hours|shuts(?! down)|geöffnet|geschlossen|öffnungszeiten|ouvert\\p{L}*|fermé\\p{L}*',
);
const CLOSES_FOR_US = words(
  'registration|enrol\\p{L}*|applications?|submissions?|entries|entry|sales?|bookings?|call for|cfp|portal|offer|poll|vote|account|kita|kindergarten|school|nursery|daycare|crèche|office|cleanroom|supplier|pharmacy|anmeldung|bewerbung|inscription\\p{L}*|concert|exhibition of (?:my|our)|opening night|house|ticket\\p{L}*|window',
);
/** Days of the calendar and of the world. */
const WORLD = words(
  "clocks? (?:go|goes|went|change)|sun (?:sets|rises)|(?:shortest|longest) day|black friday|cyber monday|(?:st|saint|sankt) \\p{Lu}\\p{L}+(?: is|['’]s day)|is celebrated|public holiday|bank holiday|easter (?:is|falls)|elections?|referendum|world cup|olympics|eclipse|comet|solstice|equinox|full moon|first (?:snow|frost)|forecast says|weather forecast|(?:snow|rain|frost|storms?|sun|heat|fog|wind) (?:is|are) forecast|astronomers?|minister|mayor|parliament|government|president|premieres? in cinemas|comes out|goes on sale",
);
/** What is supported, published or shown for everybody. */
const FOR_EVERYBODY =
  /(?<!\p{L})(?:gets? (?:\p{L}+ ){0,2}(?:fixes|updates|patches)|(?:museum|gallery|theatre|theater|cinema|kunsthalle|kino) (?:shows|plays|screens|zeigt)|(?:is|are) (?:still )?(?:supported|maintained)|exhibition (?:\p{L}+ ){0,3}(?:runs|is on|shows)|closes? (?:its|their) (?:\p{L}+ ){0,2}(?:depot|branch|shop|store|factory|plant|site|counter|warehouse|doors)|single lane|roadworks|diversion|detour|ausstellung|exposition)(?!\p{L})/iu;
/** What comes in the sky, how long food keeps, and a count of days to what nobody goes to. */
const NOBODYS =
  /(?<!\p{L})(?:eclipse|solstice|equinox|full moon|meteor shower|comet|(?:best before|use by|mindestens haltbar|à consommer)(?![^.;]*(?:tablets?|medicine|pills|insulin|pens?|vaccine|drops|inhaler))|not that (?:i|we|he|she|they|anybody|anyone|\p{Lu}\p{Ll}+) (?:has|have|had|goes|go|will|is|am|are|wants?))(?!\p{L})/iu;
/** What two teams play, and what is shown on a screen at home. */
const WATCHED =
  /^(?:\p{Lu}\p{L}+ ){1,3}(?:plays?|vs?\.?|versus|against|meets?|hosts?) (?:\p{Lu}\p{L}+)(?!\p{L})|(?<!\p{L})(?:(?:airs?|broadcast|shown|screened|streams?|repeated|is|are|starts?|ends?) on (?:the )?(?:tv|telly|television|radio|bbc|itv|rt[ée]|ard|zdf|orf|arte|netflix|channel \p{L}+|sky|disney)|(?:last|final|first|next) (?:episode|part|season) of|season finale|watch(?:es)? (?:it|the (?:match|game|final)))(?!\p{L})/u;
/** A way that is changed for everybody until a day. */
const WAY =
  /(?<!\p{L})(?:roads?|streets?|lanes?|bridge|motorway|tunnel|line|path|junction|roundabout|car park|lift|escalator)(?!\p{L})[^.;]{0,40}(?<!\p{L})(?:is|are|stays?|remains?|will be)(?!\p{L})[^.;]{0,20}(?<!\p{L})(?:one-way|closed|shut|blocked|dug up|diverted|up|out of service)(?!\p{L})/iu;
/** `Werkbon 4.12. is out` */
const RELEASED =
  /^\.?\s(?:is|are|was|has been) (?:now )?(?:out|live|released|deployed|available|installed|running|tagged|shipped)(?!\p{L})/iu;
/** What stands for something else, or is only shown. */
const SHOWN =
  /^["“„]?(?:examples?|sample|test ?(?:case|data)|beispiel|exemple|ejemplo)(?!\p{L})|(?<!\p{L})(?:date format|format is|parse[ds]?|parses|returns? (?:the |a )?(?:dates?|times?|timestamps?)|typo in|seed data|test data|mock(?:ed)?|in the (?:book|film|movie|game|novel|series|story|episode))(?!\p{L})/iu;
const COMMAND_LINE = /(?<!\p{L})(?:curl|GET|POST|SELECT)\s/u;
/** A number of a version, a part of an address, an argument. */
const CODE_BEFORE =
  /(?:(?<!\p{L})(?:version|build|release|rev|tag|v|snapshot|branch|port|migration)\s?|[=/_@#({[]["']?|\w[-.])$/iu;
const CODE_AFTER = /^(?:[.\-_]\w|[/&=}\]]|["']\s?\))/u;
/** What somebody gave up, put off without a new day, or has behind him. */
const GIVEN_UP = words(
  "let it (?:go|be|lapse)|let (?:them|that) go|gave (?:it|them) (?:back|up|away)|given (?:up|back)|decided against|not going to happen|not happening|struck from|struck off|won['’]t (?:go|be going|make it)|not going(?: after all)?|taken over by|turned (?:it|them) down|backed out|pulled out|withdrawn?|fällt aus|findet nicht statt|n['’]aura pas lieu|doch nicht",
);
const NOT_IN_IT =
  /(?<!(?:if|unless|falls|wenn) )(?:we|i) (?:do not|don['’]t|will not|won['’]t|are not going to|am not going to|['’](?:m|re) not going to) (?:bid|apply|take part|participate|attend|enter|compete|submit|exhibit|sign up)(?!\p{L})/iu;
const NONE_ON =
  /^(?:no|kein(?:e|en)?|pas de|pas d['’]) ?(?:choir|training|practice|lessons?|class(?:es)?|rehearsal|meeting|stand-?up|course|yoga|football|swimming|piano|chor|probe|stunde|unterricht|treffen|répétition|cours)(?!\p{L})/iu;
const DONE_FIRST =
  /^(?:(?:already|finally|just|now) )?(?:paid|transferred|renewed|handed in|submitted|returned|filed|settled|sent(?: off| in)?|delivered|posted|cancelled|extended|exchanged|collected|bezahlt|überwiesen|abgegeben|verlängert|envoyé|payé|rendu|renouvelé)(?!\p{L})/iu;
const LIMIT = words(
  'by|before|until|due|deadline|limit|latest|wanted|within|for the|ahead of|bis|vor|frist|avant|jusqu',
);
const MOVED_AWAY =
  /^(?:[^.;,]{0,20}\s)?(?:has been |have been |was |is |got )?(?:moved|postponed|pushed|shifted|rescheduled|put off|put back|verschoben|reporté)(?!\p{L})/iu;

/** How well a namespace knows somebody by a name. */
export interface Known {
  /** It often speaks of him: his deadlines may be ours. */
  readonly isFamiliar: (term: string) => boolean;
  /** He is of the household: his journeys are ours. */
  readonly isClose: (term: string) => boolean;
}

/**
 * Whether a day is nobody's business here: opening hours, the calendar, a version, an example, what was given up or done, and what somebody
 * else has to do, unless the sentence speaks of its writer.
 */
export function isNoneOfOurs(
  sentence: ReadSentence,
  date: DateAhead,
  { isFamiliar, isClose }: Known,
): boolean {
  const { text, tokens } = sentence;
  const [before, after] = [text.slice(0, date.start), text.slice(date.end)];
  if (CODE_BEFORE.test(before) || CODE_AFTER.test(after) || SHOWN.test(text) || COMMAND_LINE.test(text))
    return true;
  if (GIVEN_UP.test(text) || NOT_IN_IT.test(text) || NONE_ON.test(text) || MOVED_AWAY.test(after))
    return true;
  if (DONE_FIRST.test(text) && LIMIT.test(before.slice(-40) + after.slice(0, 12))) return true;
  if (isWish(text, date) || isTheirs(sentence, isClose) || isOnlySeen(text, date)) return true;
  if (PRICE_UNTIL.test(text) && !WANTED_PRICE.test(text)) return true;
  if (MINE.test(text.replace(OF_OUTSIDER, ' ')) || ASKED.test(text)) return false;
  if (WORLD.test(text) || FOR_EVERYBODY.test(text)) return true;
  if (HOURS.test(text) && !CLOSES_FOR_US.test(text)) return true;
  if (OF_OUTSIDER.test(text) || FAMILY.test(text)) return true;
  const named = DOES_HIMSELF.exec(text)?.groups ?? IS_AWAY.exec(text)?.groups;
  const who = named?.['who'] ?? named?.['whose'];
  if (
    who === undefined ||
    /^(?:user|agent|everybody|everyone|everything|somebody|someone|one|nobody)$/iu.test(who)
  )
    return false;
  const token = tokens.find((one) => one.text.startsWith(who));
  return token === undefined || (token.shape !== 'id' && isPerson(who, text) && !isFamiliar(token.term));
}

/** What is there to be looked at, by everybody: unless the writer has a part in it. */
function isOnlySeen(text: string, { text: said, end }: DateAhead): boolean {
  if (/^\d{1,2}\.\d{1,2}\.?$/u.test(said) && RELEASED.test(text.slice(end))) return true;
  return (
    !MINE.test(text) &&
    !HARD.test(text.replace(/wants?/giu, ' ')) &&
    (NOBODYS.test(text) || WATCHED.test(text) || WAY.test(text))
  );
}

function isWish(text: string, date: DateAhead): boolean {
  return !HARD.test(text) && (VAGUE.test(text) || FEAST.test(date.text));
}

/** What somebody else does for himself, and what is asked of everybody. */
function isTheirs({ of, text, tokens }: ReadSentence, isClose: (term: string) => boolean): boolean {
  const { value } = of.memory;
  if (OF_SOMEBODYS_KIN.test(text) || POSTED.test(value.slice(0, value.indexOf(text) + text.length - 1)))
    return true;
  const who = GOES_HIMSELF.exec(text)?.groups?.['who'];
  const token = tokens.find((one) => one.text === who);
  return token !== undefined && who !== undefined && isPerson(who, text) && !isClose(token.term);
}

/** A word that begins a sentence has a capital anyway: `Deposit must be paid` names nobody. */
function isPerson(who: string, text: string): boolean {
  return !wordLore().isOrdinary(who.toLowerCase()) || text.slice(1).includes(who);
}
