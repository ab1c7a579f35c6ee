// Parts of the shapes in answer-shapes.ts, as they stand in regular expressions.

/** Months, in any case; may and mar are seldom one. */
export const MONTH =
  '(?:jan(?:uary|uar)?|feb(?:ruary|ruar)?|märz|march|apr(?:il)?|june?|juni|july?|juli|aug(?:ust)?|sep(?:t(?:ember)?)?|o[ck]t(?:ober)?|nov(?:ember)?|de[cz](?:ember)?|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|janvier|février|mars|avril|juin|juillet|août|septembre|octobre|novembre|décembre|ma[yi](?=\\s\\p{N})|(?<=(?:\\p{N}(?:st|nd|rd|th)?|(?<!\\p{L})(?:in|until|till|since|by|from|of|early|late|last|next|im|between))\\s)ma[yi])';
/** Days of the week. */
export const DAY =
  '(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|montags?|dienstags?|mittwochs?|donnerstags?|freitags?|samstags?|sonntags?|lunes|martes|miércoles|jueves|viernes|sábados?|domingos?|lundis?|mardis?|mercredis?|jeudis?|vendredis?|samedis?|dimanches?)';
/** Numbers in words. */
export const NUMERAL =
  '(?:\\p{N}+|(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|half|dozen|twice|once|both|none|couple|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|zwanzig|dreißig|hundert|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|deux|trois|quatre|cinq|sept|huit|neuf|dix)(?![\\p{L}]))';
/** Places in a row, in words. */
export const ORDINAL =
  '(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|twelfth|fifteenth|twentieth|thirtieth)';
/** Where a word begins. */
export const BEGINS = '(?<![\\p{L}\\p{N}])';
/** Where a word ends, of letters. */
export const ENDS = '(?![\\p{L}])';
/** What time is measured in. */
export const TIME_UNIT =
  '(?:\\p{L}+\\s)?(?:ms|s|sec(?:ond)?s?|min(?:ute)?s?|h|hours?|days?|nights?|weeks?|months?|years?|decades?|quarters?|sekunden?|minuten?|stunden?|tage?n?|wochen?|monaten?|jahren?|horas?|días?|semanas?|meses|años?|heures?|jours?|semaines?|mois|ans?|分|時間|日|年|天|小时|周)';
/** What length and size are measured in. */
export const LENGTH_UNIT =
  '(?:m|cm|mm|km|metres?|meters?|kilomet(?:er|re)s?|miles?|feet|foot|ft|inch(?:es)?|floors?|storeys?|pages?|m2|m²|square met(?:er|re)s?|hectares?|px|gb|mb|kb|tb|gi|mi|kib|mib|gib|bytes?|lines?|mp)';
/** What stands before a place. */
export const PLACE_BEFORE =
  '(?:in|at|on|to|from|near|behind|under|beside|next to|into|inside|above|below|opposite|over|through|via|across|around|im|am|auf|unter|hinter|neben|aus|nach|bei|en|de|chez|dans|à)';
/** Articles and possessives. */
export const ARTICLE =
  '(?:the|our|my|his|her|their|its|your|this|that|a|an|der|die|das|dem|den|la|el|le|les|los|las|mon|ma|notre)';
/** What stands behind those and is no place. */
export const NO_PLACE = `(?:${ARTICLE}|${MONTH}|${DAY}|mornings?|evenings?|afternoons?|nights?|weekends?|weekdays?|end|beginning|start|first|second|last|next|same|way|time|times|place|particular|general|least|most|all|course|winter|summer|spring|autumn|future|past|case|order|turn|one|two|three|four|five|six|seven|eight|nine|ten|noon|him|her|them|it|us|me|you|be|do|get|have|total|person|writing|christmas|easter|average|which|what|call|leave|time|holiday|fire|sale|purpose|demand|request|work|and|or|not|so|see|keep|make|take|learn|buy|pay|go|run|use|play|talk|speak|help|say|tell|give|avoid|find|read|write|stop|start|come|change|check|teach|[\\p{L}]+ing)`;

/** Capitals that are times. */
export const MONTH_CAPITAL =
  '(?:Jan|Feb|Mar(?:ch)?|Apr|May|June?|July?|Aug|Sep|Oct|Nov|Dec|Okt|Dez|Mär|Mai|Jun|Jul)(?:\\p{Ll}*)(?![\\p{L}])|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?(?![\\p{L}])|Christmas|Easter|I(?![\\p{L}])';
/** Not before a word that has its capital for another reason than being a name. */
export const PLAIN_CAPITAL =
  '(?!(?:The|They|She|He|It|We|You|This|That|These|Those|My|Our|His|Her|Their|And|But|Or|In|On|At|For|From|To|With|By|As|If|When|Still|No|Yes|Not|Also|Only|So|All|Both|Each|After|Before|Until|Since|Because|There|Here|Now|Next|Two|Three|One|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|Mondays|Tuesdays|Wednesdays|Thursdays|Fridays|Saturdays|Sundays|January|February|March|April|May|June|July|August|September|October|November|December|Christmas|Easter)(?![\\p{L}]))';
/** What stands before the name of a person. */
export const TITLE =
  '(?:Dr|Prof|Mr|Mrs|Ms|Miss|Frau|Herrn?|Mme|Aunt|Uncle|Tante|Onkel|Grandma|Grandpa|Grandad|Sister|Brother)\\.?';
/** What people are called by. */
export const ROLE =
  '(?:brother|sister|mother|father|mum|dad|mama|papa|wife|husband|partner|son|daughter|aunt|uncle|nephew|niece|grandfather|grandmother|parents?|neighbours?|boss|manager|director|chief executive|president|doctor|nurse|vet|dentist|surgeon|midwife|physiotherapist|teacher|trainer|coach|lawyer|attorney|notary|judge|driver|engineers?|technician|plumber|painter|electrician|owners?|customers?|clients?|guests?|team|boy|girl|friend|colleagues?|cousin|grandma|grandpa|landlord|landlady|tenant|staff|students?|pupils?|groups?|kids|children|employer|insurance|company|carer|nanny|babysitter|accountant|supplier|council|committee|board|everybody|nobody|somebody|platform|officer|maintainers?|reviewers?|owner)';
