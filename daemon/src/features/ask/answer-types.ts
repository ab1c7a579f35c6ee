/** What an answer has to have: a figure, a date, a name … */
export type AnswerType =
  | 'person'
  | 'name'
  | 'number'
  | 'money'
  | 'date'
  | 'time'
  | 'duration'
  | 'place'
  | 'colour'
  | 'phone'
  | 'email'
  | 'url'
  | 'version'
  | 'reason';

const MONTH =
  '(?:jan(?:uary|uar)?|feb(?:ruary|ruar)?|m(?:ar(?:ch)?|ärz)|apr(?:il)?|ma[yi]|june?|juni|july?|juli|aug(?:ust)?|sep(?:t(?:ember)?)?|o[ck]t(?:ober)?|nov(?:ember)?|de[cz](?:ember)?|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre)';
const DAY =
  '(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|montags?|dienstags?|mittwochs?|donnerstags?|freitags?|samstags?|sonntags?|lunes|martes|miércoles|jueves|viernes|sábados?|domingos?|lundis?|mardis?|mercredis?|jeudis?|vendredis?|samedis?|dimanches?)';
const NUMERAL =
  '(?:\\p{N}+|(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|half|dozen|twice|once|both|none|couple|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|zwanzig|dreißig|hundert|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|deux|trois|quatre|cinq|sept|huit|neuf|dix)(?![\\p{L}]))';

const word = (body: string) => new RegExp(`(?<![\\p{L}\\p{N}])(?:${body})(?![\\p{L}])`, 'giu');

/** What the instances of each type look like in a text. */
const SHAPES: Readonly<Record<AnswerType, RegExp>> = {
  person:
    /\p{Lu}\p{Ll}+\s\p{Lu}\p{Ll}+|(?<=[\p{L}\p{N},;()"“„'’:/-]\s?)\p{Lu}\p{Ll}[\p{L}'’]*|(?<![\p{L}])(?:I|we|ich|wir|yo|je|my|our|his|her|the)\s+(?:\p{Ll}+\s)?(?:brother|sister|mother|father|mum|dad|wife|husband|partner|son|daughter|aunt|uncle|neighbours?|boss|manager|doctor|nurse|vet|dentist|teacher|lawyer|attorney|driver|engineers?|owners?|customers?|team|boy|girl|friend|cousin|grandma|grandpa|landlord|staff)(?!\p{L})|(?<![\p{L}])(?:staff|physiotherapist|everybody|nobody|somebody)(?!\p{L})|氏|さん|先生/gu,
  name: /(?<=[\s("“„«,/:-])\p{Lu}[\p{L}\p{N}'’.-]+|["“„«'`][^"”“»'`]{1,60}["”“»'`]|\p{L}+[_./-]\p{L}[\p{L}\p{N}_./-]*|\p{Ll}+\p{Lu}\p{L}*|[\p{sc=Han}\p{sc=Kana}]{2,}/gu,
  number: new RegExp(`(?<![\\p{L}\\p{N}])${NUMERAL}`, 'giu'),
  money:
    /(?:[€$£¥]\s?\p{N}|\p{N}[\p{N}.,]*\s?(?:k\s?)?(?:[€$£¥]|euros?|eur\b|cents?|ct\b|dollars?|usd|pounds?|gbp|chf|francs?|元|円|块)|\p{N}[\p{N}.,]*\s?k(?!\p{L})|\p{N}[\p{N}.,]*\s(?:an?|per|each|for)\s(?:year|month|week|day|hour|night|seat|person|head|piece|user)(?!\p{L}))/giu,
  date: new RegExp(
    `\\p{N}{4}-\\p{N}{2}(?:-\\p{N}{2})?|(?<!\\p{N})(?:19|20)\\p{N}{2}(?!\\p{N})|\\p{N}{1,2}\\.\\s?(?:\\p{N}{1,2}\\.|${MONTH})|(?<![\\p{L}])${MONTH}(?![\\p{L}])|(?<![\\p{L}])${DAY}(?![\\p{L}])|(?<![\\p{L}])(?:today|yesterday|tomorrow|tonight|weekend|christmas|easter|heute|gestern|morgen|hoy|ayer|mañana|hier|demain)(?![\\p{L}])|\\p{N}+\\s?[月日年号]|(?:the\\s)?\\p{N}{1,2}(?:st|nd|rd|th)(?!\\p{L})|星期|周[一二三四五六日]|曜日`,
    'giu',
  ),
  time: /(?<!\p{N})\p{N}{1,2}:\p{N}{2}|\p{N}{1,2}\s?(?:am|pm|uhr|h\b|o'clock|時|点)|(?:noon|midnight|morning|evening|afternoon|night|nights|half past|quarter (?:past|to)|mittags?|abends?|morgens?|nachts?|seven|eight|nine|ten|eleven|twelve|one|two|three|four|five|six)(?!\p{L})/giu,
  duration: new RegExp(
    `${NUMERAL}[\\s-]*(?:\\p{L}+\\s)?(?:ms|s|sec(?:ond)?s?|min(?:ute)?s?|h|hours?|days?|nights?|weeks?|months?|years?|decades?|sekunden?|minuten?|stunden?|tage?n?|wochen?|monaten?|jahren?|horas?|días?|semanas?|meses|años?|heures?|jours?|semaines?|mois|ans?|分|時間|日|年|天|小时|周)(?![\\p{L}])|(?<![\\p{L}])(?:until|till|since|bis|seit|hasta|jusqu)(?![\\p{L}])`,
    'giu',
  ),
  place:
    /(?<![\p{L}])(?:in|at|on|to|from|near|behind|under|beside|next to|into|inside|above|below|opposite|over|im|am|auf|unter|hinter|neben|aus|nach|bei|en|de|chez|dans|à)\s+(?:(?:the|our|my|his|her|a|an|der|die|das|dem|den|la|el|le)\s+)?(?!(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun)|(?:the\s+)?(?:morning|evening|afternoon|night|weekend|end|first|second|last|next|same|way|time|place|least|most|all|course|winter|summer|spring|autumn|future|past|case|order|turn|one|two|three|four|five|six|seven|eight|nine|ten|noon|him|her|them|it|us|me|you|that|this|be|do|get|have)(?!\p{L})|\p{N})[\p{L}]|\p{L}+(?:stra(?:ß|ss)e|platz|allee|weg|street|road|lane)|(?<=\s)(?:upstairs|downstairs|abroad|at home|here)(?!\p{L})|\/[\p{L}\p{N}_.-]+\/|[\p{L}\p{N}_-]+\.(?:ts|tsx|js|py|rs|go|toml|ya?ml|json|sql|sh|md)|在|で|に/giu,
  colour: word(
    'red|blue|green|yellow|black|white|gr[ae]y|brown|orange|purple|pink|violet|beige|turquoise|teal|navy|amber|olive|cream|gold(?:en)?|silver|anthracite|brindle|mustard|ochre|rot|blau|grün|gelb|schwarz|weiß|grau|braun|rojo|azul|verde|amarillo|negro|blanco|rouge|bleu|vert|jaune|noir|blanc|light|dark|#[0-9a-f]{3,8}',
  ),
  phone: /(?<![\p{L}\p{N}.])(?:\+|0)\p{N}[\p{N}\s()/-]{5,}\p{N}|\p{N}{3,}[\s/-]\p{N}{3,}/gu,
  email: /[\p{L}\p{N}._%+-]+@[\p{L}\p{N}.-]+\.\p{L}{2,}/gu,
  url: /https?:\/\/\S+|(?<![\p{L}@])(?:www\.)?[\p{L}\p{N}-]+\.(?:com|org|net|de|io|dev|eu|app|example|local|internal)(?!\p{L})\S*/giu,
  version: /(?<![\p{L}\p{N}])v?\p{N}+(?:\.\p{N}+)+|(?<=\p{L}\s)v?\p{N}{1,4}(?!\p{N})|v\p{N}+/giu,
  reason:
    /(?<![\p{L}])(?:because|since|so that|so|due to|caused?|reason|therefore|as|for|otherwise|or else|needs?|weil|damit|denn|wegen|porque|para|parce|car|pour)(?![\p{L}])|因为|から|ので|[;:–—]/giu,
};

/** Capitals that name nobody: months, days, identifiers. */
const NO_NAME =
  /^(?:(?:jan|feb|m[aä]r|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz])\p{L}*|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|christmas|easter|english|german|french|spanish)$|\p{N}/iu;

/** Where something of a type stands in a text. */
export interface Instance {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Characters of a sentence that are looked at. */
const MOST = 2_000;

/** What a text has of a type that the question did not say itself. */
export function instancesOf(type: AnswerType, text: string, said: string): Instance[] {
  const known = said.toLowerCase();
  const isName = type === 'person' || type === 'name';
  // Tobias Renk is nobody new to a question about Tobias.
  const isNew = (found: string) =>
    isName
      ? !NO_NAME.test(found) && !found.split(/\s+/u).some((part) => known.includes(part))
      : !known.includes(found);
  return [...text.slice(0, MOST).matchAll(SHAPES[type])]
    .map((match) => ({
      text: match[0].toLowerCase().trim(),
      start: match.index,
      end: match.index + match[0].length,
    }))
    .filter((found) => isNew(found.text));
}

/** Whether a text has something of a type that the question did not say itself. */
export function tells(type: AnswerType, text: string, said: string): boolean {
  return instancesOf(type, text, said).length > 0;
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
  [
    /\bhow much\b.*\b(?:costs?|pay|pays|paid|charged?|charges|spend|spent|earns?|owe|price|rent|money|euros?)\b|\bhow (?:much|expensive) (?:is|are|was|were|would be|will be)\b|\bwhat\b.*\b(?:costs?|pays?|earns?|price|prices|salary|fees?|rent|charges?)\b|\b(?:kostet|kosten|cuesta|cuánto vale|coûte)\b|多少钱|いくら/iu,
    ['money'],
  ],
  [
    /\bhow (?:long|often|frequently)\b|\bwie (?:lange|oft)\b|\bcuánto (?:tiempo|dura)|\bcombien de temps|多久|多长/iu,
    ['duration', 'number', 'date'],
  ],
  [
    /\b(?:at|until|by|from|since) (?:what|which) (?:time|hour)\b|\bwhat time\b|\bum wie viel uhr\b|\ba qué hora\b|\bà quelle heure\b|几点|何時/iu,
    ['time'],
  ],
  [
    /\bhow (?:many|old|high|fast|far|big|large|tall|heavy|wide|deep|hot|loud|thick)\b|\bwie ?(?:viele?|alt|hoch|schnell|gro[sß]|weit|schwer)\b|\bcu[aá]nt[oa]s?\b|\bcombien\b|\bquel âge\b|多少|几[个口只岁]|いくつ|何[人個台歳]|\bhow much\b/iu,
    ['number'],
  ],
  [
    /^\W*(?:since |until |from |and |so )?when\b|[,;] (?:and )?when\b|\b(?:what|which) (?:date|day|days|month|year|weekday|week|evening|morning)s?\b|\bwann\b|\bwelche[mn] tage?n?\b|\bcu[aá]ndo\b|\bqué (?:día|fecha)\b|\bquand\b|\bquel(?:le)? (?:jour|date)\b|什么时候|哪[一]?天|几号|いつ|何日|\bdeadline\b/iu,
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
    /^\W*(?:\w+ )?who(?:m|se)?\b|[,;] (?:and )?who\b|\bwe[rnm]\b|\bquién(?:es)?\b|\bqui\b|\bwhich (?:person|doctor|driver|colleague|teacher|trainer|friend|guest|man|woman|vet|singer|author|company|firm|shop|hotel|school|restaurant|operator|clinic|hospital|bank)s?\b|谁|誰/iu,
    ['person'],
  ],
  [
    /\b(?:what|which) (?:is|are|was|were|'s)\b.*\b(?:number|level|pulse|rate|score|weight|height|size|dose|limit|budget|percentage|amount|count|port|age|temperature|speed|width|length|capacity|code|pin|iban|reading|turnover|profit|discount)\b|\bwhat (?:dose|size|percentage|number|port|limit|discount)\b/iu,
    ['number'],
  ],
  [
    /\bnames? of\b|\bwhat (?:is|are|was|were) .*\bcalled\b|\bnamed?\b|\bwie hei(?:ß|ss)t|\bcómo se llama|\bcomment s'appelle|\b(?:which|what) (?:\w+ )?(?:library|framework|database|tool|brand|make|model|provider|host|branch|class|function|file|service|package|band)s?\b|叫什么|名前/iu,
    ['name'],
  ],
];

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

/** What an answer to a question has to have one of; empty where the words of the question do not say. */
export function expectedTypes(question: string): readonly AnswerType[] {
  return ASKED.find(([shape]) => shape.test(question))?.[1] ?? [];
}
