import { ENGLISH_WEEKDAYS, MONTH_STEMS } from '../../../language/date-names.ts';
import { type AnswerType, SHAPES } from '../../../language/value-shapes.ts';
import { NUMERAL } from '../../../language/value-words.ts';
import { isStopWord } from './content-words.ts';

/** Capitals that name nobody: months, days, identifiers. */
const NO_NAME = new RegExp(
  String.raw`^(?:(?:${MONTH_STEMS.join('|')})\p{L}*|(?:${ENGLISH_WEEKDAYS.join('|')})s?|christmas|easter|english|german|french|spanish)$|\p{N}`,
  'iu',
);

/** Where something of a type stands in a text. */
export interface Instance {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** How sure it is that it is something of the type, 0..1. */
  readonly sure: number;
}

/** Characters of a sentence that are looked at. */
const MOST = 2_000;
/** Characters behind a word of reason in which something new has to stand. */
const REASON = 60;

/** Where a text has something of a type, apart from what the question (`said`) names itself. */
export function instancesOf(type: AnswerType, text: string, said: string): Instance[] {
  return SHAPES[type].flatMap((shape) => shaped(type, shape, { text: text.slice(0, MOST), said }));
}

/** How surely a text has something of a type that the question (`said`) does not name itself, 0..1. */
export function tellsOf(type: AnswerType, text: string, said: string): number {
  // The surest shapes stand first.
  const found = SHAPES[type].find(
    (shape) => shaped(type, shape, { text: text.slice(0, MOST), said }).length > 0,
  );
  return found?.[0] ?? 0;
}

function shaped(
  type: AnswerType,
  [sure, shape]: readonly [number, RegExp],
  { text, said }: { text: string; said: string },
): Instance[] {
  const found = [...text.matchAll(shape)].map((match) => ({
    text: match[0].toLowerCase().trim(),
    start: match.index,
    end: match.index + match[0].length,
    sure,
  }));
  if (found.length === 0) return [];
  const known = said.toLowerCase();
  const words = new Set(known.match(PARTS));
  const isKnown = (part: string) => words.has(part) || (part.length > 4 && known.includes(part.slice(0, -1)));
  return found.filter((one) => {
    const parts = one.text.match(PARTS) ?? [];
    switch (type) {
      case 'person':
      case 'name':
        // Tobias Renk is nobody new to a question about Tobias; of an identifier a part may be known.
        return (
          !NO_NAME.test(one.text) && !(/[_/.-]/u.test(one.text) ? parts.every(isKnown) : parts.some(isKnown))
        );
      case 'reason':
        return saysMore(text.slice(one.end, one.end + REASON), isKnown);
      case 'place':
        return !isKnown(parts.at(-1) ?? '');
      default:
        return parts.length === 0 || parts.some((part) => !words.has(part));
    }
  });
}

const PARTS = /[\p{L}\p{N}]+/gu;

/** Whether something stands there that is not known; scripts without blanks are believed. */
function saysMore(text: string, isKnown: (word: string) => boolean): boolean {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [];
  return words.some((word) => !isStopWord(word) && !isKnown(word)) || /\p{sc=Han}|\p{sc=Hira}/u.test(text);
}

/** The kinds of question, each with what an answer has to have; the first that matches counts. */
const ASKED: readonly (readonly [RegExp, readonly AnswerType[]])[] = [
  [
    /\b(?:phone|telephone|mobile|cell) ?numbers?\b|\btelefonnummer|\bnúmero de teléfono|\bnuméro de téléphone|电话|電話/iu,
    ['phone'],
  ],
  [/\be-?mail address\b|\bcorreo electrónico|\bmail-?adresse/iu, ['email']],
  [/\b(?:which|what|whose) (?:url|web ?site|link|domain)\b/iu, ['url']],
  [/\b(?:what|which) (?:minimum |maximum )?(?:[\w.-]+ )?versions?\b|\bwelche .*version\b/iu, ['version']],
  [/\b(?:what|which) colou?rs?\b|\bwelche farbe|\bqué color|\bquelle couleur|颜色|何色/iu, ['colour']],
  [/\bby how much\b/iu, ['number', 'percentage', 'money']],
  [/\btime ?zones?\b/iu, []],
  [/^\W*(?:what|which) (?:\w+ )?(?:triggers?|causes?|happens|does it mean|stands? for)\b/iu, []],
  [
    /\bhow much\b.*\b(?:costs?|pay|pays|paid|charged?|charges|spend|spent|earns?|owe|price|rent|money|euros?)\b|\bhow (?:much|expensive) (?:is|are|was|were|would be|will be)\b|\bwhat\b.*\b(?:costs?|pays?|earns?|price|prices|salary|fees?|rent|charges?)\b|\b(?:kostet|kosten|cuesta|cuánto vale|coûte)\b|多少钱|いくら/iu,
    ['money'],
  ],
  [
    /\bhow (?:high|large|big|much)\b.*\b(?:profits?|turnover|salary|bill|fee|fine|budget|debts?|deposit|revenue|losses|loss|discount)\b|\b(?:what|which) (?:\w+ )?(?:salary|price|fee|rent|fine|deposit|penalt(?:y|ies)|budget|debt)\b|\bin penalties\b/iu,
    ['money'],
  ],
  [/\bhow (?:often|frequently)\b|\bwie oft\b|\bhow many times\b/iu, ['frequency', 'number']],
  [
    /\bhow (?:far|long|wide|deep|tall|high|big|large|thick)\b.*\b(?:in (?:metres|meters|cm|km|mm|feet|pages)|ahead)\b|\bhow far\b/iu,
    ['length', 'duration'],
  ],
  [
    /\bhow (?:long|often|frequently)\b|\bwie (?:lange|oft)\b|\bcuánto (?:tiempo|dura)|\bcombien de temps|多久|多长/iu,
    ['duration'],
  ],
  [
    /\b(?:at|until|by|from|since) (?:what|which) (?:time|hour)\b|\bwhat time\b|\bum wie viel uhr\b|\ba qué hora\b|\bà quelle heure\b|几点|何時/iu,
    ['time'],
  ],
  [/\bhow old\b|\bwie alt\b|\bquel âge\b|\b(?:what|which) age\b|几岁|何歳/iu, ['age', 'number']],
  [
    /\bhow heavy\b|\bhow much\b.*\bweigh|\b(?:what|which) weight\b|\bwie schwer\b|\bwhat\b.*\bweigh\b/iu,
    ['weight'],
  ],
  [
    /\bhow (?:tall|high|deep|wide|thick)\b|\b(?:what|which) (?:height|length|width|depth)\b/iu,
    ['length', 'temperature', 'money', 'number'],
  ],
  [/\bhow fast\b|\b(?:what|which) speed\b/iu, ['speed']],
  [/\bhow (?:hot|warm|cold)\b|\btemperature\b/iu, ['temperature', 'number']],
  [/\b(?:what|which) (?:percentage|share|percent)\b|\bhow many percent\b/iu, ['percentage']],
  [/\b(?:what|which) (?:dose|dosage)\b|\bwhat is the dos(?:e|age)\b/iu, ['dose']],
  [/\b(?:what|which) (?:was |is )?(?:the )?commit\b/iu, ['commit']],
  [
    /\b(?:what|which) (?:was |is |are )?(?:the |my |our |his |her |\w+'s )?(?:\w+ ){0,2}(?:number|id|code|pin|iban|key|password)\b/iu,
    ['code', 'number', 'name'],
  ],
  [
    /\bhow (?:many|old|high|fast|far|big|large|tall|heavy|wide|deep|hot|loud|thick)\b|\bwie ?(?:viele?|alt|hoch|schnell|gro[sß]|weit|schwer)\b|\bcu[aá]nt[oa]s?\b|\bcombien\b|\bquel âge\b|多少|几[个口只岁]|いくつ|何[人個台歳]|\bhow much\b/iu,
    ['number'],
  ],
  [
    /^\W*(?:the |total |current |exact )*number of \w+|\b(?:what|which) (?:is the )?(?:total |exact )?(?:amount|quantity|number) of\b/iu,
    ['number'],
  ],
  [/\b(?:what|which) year\b|\bwelchem jahr\b|\bqué año\b|\bquelle année\b/iu, ['year']],
  [
    /^\W*(?:(?:(?:until|till) )?about |around )?(?:since |until |till |from |by |and |so )?when\b|[,;] (?:and )?when\b|\b(?:what|which) (?:date|day|days|month|year|weekday|week|evening|morning)s?\b|\bwann\b|\bwelche[mn] tage?n?\b|\bcu[aá]ndo\b|\bqué (?:día|fecha)\b|\bquand\b|\bquel(?:le)? (?:jour|date)\b|什么时候|哪[一]?天|几号|いつ|何日|\bdeadline\b|\bdate (?:of|for|when)\b|\b(?:start|end|opening|closing|release|delivery|due|birth|wedding|expiry|deletion|launch|moving)[ -]?dates?\b|\bbirthday\W*$/iu,
    ['date', 'time'],
  ],
  [
    /^\W*(?:from |to |and |so )?where\b|[,;] (?:and )?where\b|\b(?:which|what) (?:city|town|street|country|address|place|room|path|folder|directory)\b|\bwo(?:hin|her)?\b|\bd[oó]nde\b|\boù\b|哪里|どこ/iu,
    ['place'],
  ],
  [
    /\bwhy\b|\b(?:what|which) (?:is the |was the )?reason\b|\bwarum\b|\bwieso\b|\bpor qué\b|\bpourquoi\b|为什么|なぜ|どうして/iu,
    ['reason'],
  ],
  [
    /^\W*(?:\w+ )?who(?:m|se)?\b|[,;] (?:and )?who\b|\bwe[rnm]\b|\bquién(?:es)?\b|\bqui\b|\bwhich (?:person|doctor|driver|colleague|teacher|trainer|friend|guest|man|woman|vet|singer|author|nurse|neighbour|engineer|player|pupil|student|child|girl|boy|kid)s?\b|谁|誰/iu,
    ['person'],
  ],
  [
    /\b(?:what|which) (?:is|are|was|were|'s)\b.*\b(?:number|level|pulse|rate|score|weight|height|size|dose|limit|budget|percentage|amount|count|port|age|temperature|speed|width|length|capacity|code|pin|iban|reading|turnover|profit|discount)\b|\bwhat (?:dose|size|percentage|number|port|limit|discount)\b/iu,
    ['number'],
  ],
  [/\b(?:contact person|person (?:in charge|responsible))\b/iu, ['person']],
  [
    /\bnames? of\b|\b(?:sur|nick|first |last |middle |maiden |family |user)names?\b|\b(?:first|last|middle|maiden|family) name\b|\b(?:title|author|brand|make|model|manufacturer|maker|supplier) (?:of|for)\b|\bwhat (?:is|are|was|were) .*\bcalled\b|\bnamed?\b|\bwie hei(?:ß|ss)t|\bcómo se llama|\bcomment s'appelle|\b(?:which|what) (?:\w+ )?(?:library|framework|database|tool|brand|make|model|provider|host|branch|class|function|file|service|package|band|company|firm|shop|hotel|school|restaurant|operator|clinic|hospital|bank|newspaper|court|college|university|cinema|gym|supplier|app|language|airline|street)s?\b|叫什么|名前/iu,
    ['name'],
  ],
];

/** What is asked for by a few words without a question word: `vet bill Biscuit`, `price of the desk`. */
const NOTED: readonly (readonly [RegExp, readonly AnswerType[]])[] = [
  [
    /\b(?:prices?|costs?|fees?|salary|wages?|rent|bill|deposit|budget|turnover|profit|charges?|fine)\b/iu,
    ['money'],
  ],
  [/\b(?:phone|telephone|mobile|extension|téléphone|telefon)\b/iu, ['phone', 'number']],
  [/\be-?mail\b/iu, ['email']],
  [/\b(?:reason|why)\b/iu, ['reason']],
  [/\b(?:version)\b/iu, ['version']],
  [/\b(?:password|pin|code|licence key|reference|serial)\b/iu, ['code', 'name']],
  [/\b(?:opening hours|horaire|departure|arrival)\b/iu, ['time', 'date']],
  [/\b(?:length|duration|retention)\b/iu, ['duration', 'length']],
  [/\b(?:size|height|width|depth|distance)\b/iu, ['length', 'number']],
  [/\bweight\b/iu, ['weight']],
  [/\bage\b/iu, ['age', 'number']],
  [/\b(?:value|limit|level|score|percentage|share|rate|count|capacity|load)\b/iu, ['number']],
  [/\b(?:address|location|place)\b/iu, ['place']],
  [/\bcolou?r\b/iu, ['colour']],
  [/\b(?:dates?|birthday|anniversary)\b/iu, ['date']],
];
const ASKS =
  /\b(?:who\w*|what|which|when|where|why|how|is|are|was|were|do|does|did|can|could|will|would|should|may|must|has|have|had|tell|list|name)\b|[?？]/iu;
/** More words are a sentence. */
const MOST_NOTED = 8;

const FIGURE = new RegExp(`^(?:${NUMERAL}|no|none|zero|an?|all)$`, 'iu');

/** Whether a figure stands beside one of some words: `4,180 trailers`, `four long nights`, `Marks: 5`. */
export function counts(text: string, isCounted: (word: string) => boolean): boolean {
  const tokens = text.toLowerCase().match(/[\p{L}\p{M}]+|\p{N}[\p{N}.,]*/gu) ?? [];
  return tokens.some((token, at) => {
    if (!FIGURE.test(token.replace(/[.,]/gu, ''))) return false;
    const beside = [...tokens.slice(at + 1, at + 4), ...tokens.slice(Math.max(0, at - 2), at)];
    return beside.some(isCounted);
  });
}

/** The types of which an answer to a question has to have at least one; empty where the question's words do not tell. */
export function expectedTypes(question: string): readonly AnswerType[] {
  const asked = ASKED.find(([shape]) => shape.test(question))?.[1];
  if (asked) return asked;
  const isNoted =
    !ASKS.test(question.replace(/[?？]\s*$/u, '')) && question.split(/\s+/u).length <= MOST_NOTED;
  return (isNoted ? NOTED.find(([shape]) => shape.test(question))?.[1] : undefined) ?? [];
}
