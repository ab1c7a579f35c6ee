import {
  ARTICLE,
  BEGINS,
  DAY,
  EACH_DAY,
  ENDS,
  LENGTH_UNIT,
  MONTH,
  MONTH_CAPITAL,
  NO_PLACE,
  NUMERAL,
  ORDINAL,
  PLACE_BEFORE,
  PLAIN_CAPITAL,
  ROLE,
  TIME_UNIT,
  TITLE,
} from './value-words.ts';
import { anyOf } from './word-lists.ts';

/** What an answer has to have: a figure, a date, a name … */
export type AnswerType =
  | 'person'
  | 'name'
  | 'number'
  | 'code'
  | 'commit'
  | 'money'
  | 'percentage'
  | 'length'
  | 'weight'
  | 'temperature'
  | 'speed'
  | 'dose'
  | 'age'
  | 'date'
  | 'year'
  | 'time'
  | 'duration'
  | 'frequency'
  | 'place'
  | 'colour'
  | 'phone'
  | 'email'
  | 'url'
  | 'version'
  | 'reason';

/** A figure with its unit. */
const measured = (units: string) => `${BEGINS}(?:an?\\s|${NUMERAL}[\\p{N}.,:]*)[\\s-]?(?:${units})${ENDS}`;
/** What may stand behind a price. */
const FOR =
  'an?|per|each|for|with|including|incl|without|in|to|from|and|or|together|total|gross|net|warm|cold|extra|up|only|by|at|as|because|so|instead|paid|cash';
const any = (...bodies: string[]) => new RegExp(bodies.join('|'), 'giu');
const word = (body: string) => any(`(?<![\\p{L}\\p{N}])(?:${body})${ENDS}`);

/** Patterns of what each type of answer looks like in a text, each with how sure it is, to 1, that a match is of that type. */
export const SHAPES: Readonly<Record<AnswerType, readonly (readonly [number, RegExp])[]>> = {
  person: [
    [
      1,
      new RegExp(
        `${TITLE}\\s+\\p{Lu}[\\p{L}'’-]+(?:\\s\\p{Lu}[\\p{L}'’-]+)?|(?<![\\p{L}])(?:Mum|Dad|Mama|Papa|Mãe|Grandma|Grandpa)(?![\\p{L}])`,
        'gu',
      ),
    ],
    [
      1,
      new RegExp(
        `(?<!(?:in|at|on|near|over|the)\\s)(?<=[\\p{L}\\p{N},;()"“„'’:/.-]\\s?)${PLAIN_CAPITAL}\\p{Lu}\\p{Ll}[\\p{L}'’]*(?:\\s\\p{Lu}\\p{Ll}[\\p{L}'’-]*)*(?!\\s?(?:Lane|Street|Road|Square|Post))`,
        'gu',
      ),
    ],
    [
      0.7,
      new RegExp(
        `^[\\s"“„-]*${PLAIN_CAPITAL}\\p{Lu}\\p{Ll}+(?=\\s(?:is|was|has|had|does|did|will|can|says|said|(?:and|or|&)\\s\\p{Lu}|\\p{Lu}\\p{Ll}+|\\p{Ll}{2,}(?:ed|es|s))(?![\\p{L}]))`,
        'gu',
      ),
    ],
    [0.7, new RegExp(`(?<![\\p{L}])${ROLE}(?![\\p{L}]|\\s\\p{Lu})`, 'gu')],
    [0.5, /(?<![\p{L}])(?:the\s)?\p{Lu}\p{Ll}+s(?![\p{L}])|氏|さん|先生/gu],
    [0.4, /^\W*(?:He|She|They|We|I)(?![\p{L}])|(?<![\p{L}])(?:me|myself|us)(?![\p{L}])/gu],
  ],
  name: [
    [
      1,
      new RegExp(
        `["“„«'\`][^"”“»'\`]{1,60}["”“»'\`]|(?<!\\p{L})(?:\\p{L}+[_/]\\p{L}[\\p{L}\\p{N}_./-]*|\\p{L}+-\\p{L}+-[\\p{L}\\p{N}-]+)|(?<![\\p{L}\\p{N}])\\p{L}[\\p{L}\\p{N}]*\\.(?:ts|tsx|js|py|rs|go|toml|ya?ml|json|sql|sh|md)|(?<!\\p{Ll})\\p{Ll}+\\p{Lu}\\p{L}*|(?<!\\p{L})\\p{L}+\\p{N}+|[\\p{sc=Han}\\p{sc=Kana}]{2,}`,
        'gu',
      ),
    ],
    [
      1,
      new RegExp(
        `(?<!(?:in|at|near|to|from)\\s)(?<=[\\s("“„«,/:-])${PLAIN_CAPITAL}\\p{Lu}[\\p{L}\\p{N}'’-]+`,
        'gu',
      ),
    ],
    [
      0.5,
      new RegExp(
        `(?<=[\\s("“„«,/:-])${PLAIN_CAPITAL}\\p{Lu}[\\p{L}\\p{N}'’-]+|(?<!\\p{L})\\p{L}+-\\p{L}+`,
        'gu',
      ),
    ],
  ],
  number: [
    [
      1,
      any(
        `(?<![\\p{L}\\p{N}.:/-])(?!(?:19|20)\\p{N}{2}(?!\\p{N}))${NUMERAL}(?!\\p{N}|[:]\\p{N}|\\.?\\s?${MONTH}${ENDS}|(?:st|nd|rd|th)(?!\\p{L}))`,
      ),
    ],
    [0.8, any(`${BEGINS}(?:no|zero|single)${ENDS}`)],
  ],
  code: [
    [
      1,
      any(
        `(?<![\\p{L}\\p{N}])(?=[\\p{L}\\p{N}/.-]*\\p{N}{2})[\\p{L}\\p{N}]+(?:[-/.][\\p{L}\\p{N}]+)*`,
        `#\\p{N}+`,
        `no\\.?\\s?\\p{N}+`,
      ),
    ],
  ],
  commit: [[1, /(?<![\p{L}\p{N}])(?=[0-9a-f]*\p{N})[0-9a-f]{7,40}(?![\p{L}\p{N}])|#\p{N}+/gu]],
  money: [
    [
      1,
      any(
        '[€$£¥]\\s?\\p{N}[\\p{N}.,]*',
        '(?<![\\p{N}.,])\\p{N}[\\p{N}.,]*\\s?(?:k\\s?)?(?:[€$£¥]|euros?|eur(?![\\p{L}])|cents?|ct(?![\\p{L}])|dollars?|usd|pounds?|gbp|chf|kron(?:en|er|or|a)|kr(?![\\p{L}])|crowns?|francs?|元|円|块|欧)',
        '(?:hundred|thousand|million|fifty|twenty|thirty|forty|ten|five|six|seven|eight|nine|two|three|four|one)\\s(?:euros?|dollars?|pounds?|cents?|francs?)',
        '(?<![\\p{N}.,])\\p{N}[\\p{N}.,]*\\s?k(?!\\p{L})',
        '(?<![\\p{N}.,])\\p{N}[\\p{N}.,]*\\s(?:an?|per|each|for)\\s(?:year|month|week|day|hour|night|seat|person|head|piece|user)(?!\\p{L})',
        '[零一二三四五六七八九十百千万]+\\s?(?:欧|元|块)',
        '(?<![\\p{L}])(?:free|for nothing|nothing)(?![\\p{L}])',
      ),
    ],
    [
      0.7,
      any(
        '(?:costs?|paid|pays?|price|fee|fees|deposit|refund|rent|charged?|charges|for|of|about|was|is|at)\\s(?:about\\s|only\\s)?\\p{N}{2}[\\p{N}.,]*(?!\\s?(?:%|°|:|\\p{N}|kg|g|km|m|mm|cm|ms|s|min|hours?|days?|weeks?|months?|years?|percent|am|pm|' +
          MONTH +
          '))',
      ),
    ],
    // A figure that counts nothing, where a currency goes without saying: `Bunk bed, ladder on the left, 1,080 with mattresses`.
    [
      0.5,
      any(
        `(?<=(?:[,;:(]|[\\p{L}])\\s)(?<!(?:no|nr|room|page|bay|table|line|floor|version|number|level|week|day|year|at|${MONTH})\\.?\\s)(?!(?:19|20)\\p{N}{2}(?!\\p{N}|[.,]\\p{N}))\\p{N}{1,3}(?:[.,]?\\p{N}{3}|[.,]\\p{N}{2})?(?!\\p{N}|[.,:/-]\\p{N})(?=\\s?[,;.)]|$|\\s(?:${FOR})${ENDS})`,
      ),
    ],
  ],
  percentage: [
    [
      1,
      any(
        '(?<![\\p{N}.,])\\p{N}[\\p{N}.,]*\\s?(?:%|percent|per cent|prozent|por ciento|pour cent)|(?<![\\p{L}])(?:half|third|quarter|fifth)(?![\\p{L}])',
      ),
    ],
  ],
  length: [
    [1, any(measured(LENGTH_UNIT), '\\p{N}\\s?x\\s?\\p{N}')],
    [0.5, any('(?<![\\p{L}])size\\s\\p{N}+')],
  ],
  weight: [[1, any(measured('kg|g|mg|kilos?|grams?|grammes?|tons?|tonnes?|t|pounds?|lbs?|kilograms?'))]],
  temperature: [[1, any(measured('degrees?|°\\s?[cf]?|grad|[cf]'), '\\p{N}\\s?°')]],
  speed: [
    [
      1,
      any(
        measured(
          'km/h|kmh|mph|knots?|mbit/s|[kmg]b/s|ms|s|sec(?:ond)?s?|min(?:ute)?s?|h|hours?|requests? per second',
        ),
        '\\p{N}{1,2}:\\p{N}{2}',
      ),
    ],
  ],
  dose: [
    [
      1,
      any(
        measured('mg|g|ml|mcg|µg|drops?|tablets?|pills?|units?|spoons?|kilos?|kg|grams?|times?'),
        '(?:half|one|two)\\s(?:an?\\s)?(?:tablet|pill|spoon)',
      ),
    ],
  ],
  age: [
    [
      1,
      any(
        `${BEGINS}(?:is|are|turns?|turned|aged?|be|was|became|becomes)\\s(?:now\\s|about\\s|already\\s|only\\s|just\\s)?${NUMERAL}(?!\\s?(?:%|euro|kg|:|o'clock|times?))`,
        measured('(?:years?|months?|weeks?)(?:[\\s-]old)?|jahre'),
        `(?:born|geboren).{0,30}\\p{N}{4}`,
        '\\p{Lu}\\p{Ll}+[,]?\\s\\(?\\p{N}{1,2}\\)?(?=[,)])',
        '\\p{N}{1,2}\\s?歳|\\p{N}{1,2}\\s?岁',
      ),
    ],
  ],
  date: [
    [
      1,
      any(
        '\\p{N}{4}-\\p{N}{2}(?:-\\p{N}{2})?',
        '(?<!\\p{N})(?:19|20)\\p{N}{2}(?!\\p{N})',
        `\\p{N}{1,2}\\.\\s?(?:\\p{N}{1,2}\\.|${MONTH})`,
        `(?:\\p{N}{1,2}(?:st|nd|rd|th)?\\s(?:of\\s)?)?(?<![\\p{L}])${MONTH}(?![\\p{L}])`,
        `(?<![\\p{L}])${DAY}(?![\\p{L}])`,
        "(?<![\\p{L}])(?:today|yesterday|tomorrow|tonight|weekends?|christmas|easter|new year's (?:day|eve)|whitsun|heute|gestern|morgen|hoy|ayer|mañana|hier|demain)(?![\\p{L}])",
        '\\p{N}+\\s?[月日年号]',
        '(?:the\\s)?\\p{N}{1,2}(?:st|nd|rd|th)(?!\\p{L})',
        `(?:the|every|until)\\s${ORDINAL}(?=\\sof|[,.;)]|$)`,
        '星期|周[一二三四五六日]|曜日',
      ),
    ],
    [
      0.6,
      any(
        `${BEGINS}(?:next|last|this|every|each|in|week)\\s(?:\\p{N}+|week|month|year|spring|summer|autumn|winter|quarter|night|morning)${ENDS}`,
        `${NUMERAL}\\s(?:days?|weeks?|months?|years?)\\s(?:ago|later|before|after)`,
        `${BEGINS}(?:nightly|daily|weekly|monthly|yearly|spring|summer|autumn|winter)${ENDS}`,
      ),
    ],
    [0.4, any(`${BEGINS}(?:when|once|as soon as|after|before|during|while|if|above|below)${ENDS}`)],
  ],
  year: [
    [1, any('(?<!\\p{N})(?:19|20)\\p{N}{2}(?!\\p{N})')],
    [0.6, any(`${NUMERAL}\\syears?\\sago|last year|this year|next year`)],
  ],
  time: [
    [
      1,
      any(
        '(?<!\\p{N})\\p{N}{1,2}:\\p{N}{2}',
        "(?<!\\p{N})\\p{N}{1,2}(?:[.]\\p{N}{2})?\\s?(?:am|pm|a\\.m|p\\.m|uhr|h|o'clock|時|点)(?![\\p{L}])",
        "(?:half\\s)?(?:past|to)\\s(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?![\\p{L}])|o'clock",
        `(?<![\\p{L}])(?:at|until|till|by|around|before|after|from|to|between|um|bis|ab|gegen)\\s(?:about\\s)?(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|noon|midnight|\\p{N}{1,2})(?=[.,;)]|$|\\s(?:in the|on|and|or|to|for|sharp|at|each|every|with|a day|because|but|if)(?![\\p{L}]))`,
        '(?<![\\p{L}])(?:noon|midnight|half past|quarter (?:past|to)|mittags?|abends?|nachts?)(?![\\p{L}])',
      ),
    ],
    [0.5, word('mornings?|evenings?|afternoons?|nights?|nightly|lunch|breakfast')],
  ],
  duration: [
    [
      1,
      any(
        `(?<![\\p{L}\\p{N}.,])${NUMERAL}(?:[.,]\\p{N}+)*[\\s-]*${TIME_UNIT}${ENDS}`,
        `${BEGINS}(?:an?|half an|the whole|all|under an?|some|several|a few|a couple of)\\s(?:hour|minute|day|night|week|month|year|weekend|summer|hours|minutes|days|weeks|months|years)${ENDS}`,
        '(?<![\\p{L}])(?:until|till|bis|hasta|jusqu)(?![\\p{L}])',
        '\\p{N}:\\p{N}{2}',
        `(?:from|von)\\s.{1,24}\\s(?:to|until|bis)\\s`,
      ),
    ],
    [
      0.6,
      any(`(?<![\\p{L}])(?:since|seit|depuis|desde)\\s(?!then)`, `(?:permanent|forever|always|indefinitely)`),
    ],
  ],
  frequency: [
    [
      1,
      any(
        `${BEGINS}(?:every|each|once|twice|${NUMERAL}\\s(?:times|x|in)|per|a day|a week|a month|a year|daily|weekly|monthly|yearly|nightly|hourly|quarterly|always|never|täglich|jeden)${ENDS}`,
        `${EACH_DAY}${ENDS}`,
        `an?\\s(?:day|week|month|year)`,
      ),
    ],
  ],
  place: [
    [
      1,
      new RegExp(
        `(?<![\\p{L}])(?:${PLACE_BEFORE}|In|At|On|From|Near|To)\\s+(?:${ARTICLE}\\s+)?(?!${MONTH_CAPITAL}|\\p{N})\\p{Lu}[\\p{L}\\p{N}'’-]*`,
        'gu',
      ),
    ],
    [
      1,
      any(
        '(?<!\\p{L})\\p{L}+(?:stra(?:ß|ss)e|platz|allee|weg)(?![\\p{L}])',
        '\\p{Lu}\\p{L}+\\s(?:Street|Road|Lane|Square|Avenue)',
        '(?<![\\p{L}\\p{N}_.-])\\/[\\p{L}\\p{N}_.-]+\\/|(?<![\\p{L}\\p{N}_-])[\\p{L}\\p{N}_-]+\\.(?:ts|tsx|js|py|rs|go|toml|ya?ml|json|sql|sh|md)|在|で|に',
      ),
    ],
    [
      0.8,
      any(
        `(?<![\\p{L}])${PLACE_BEFORE}\\s+(?:${ARTICLE}\\s+)(?!${NO_PLACE}${ENDS}|\\p{N})[\\p{L}][\\p{L}'’-]*`,
        '(?<=\\s)(?:upstairs|downstairs|abroad|at home|outside|next door)(?!\\p{L})',
      ),
    ],
    [0.5, any(`(?<![\\p{L}])${PLACE_BEFORE}\\s+(?!${NO_PLACE}${ENDS}|\\p{N})[\\p{L}][\\p{L}'’-]*`)],
  ],
  colour: [[1, word(`${anyOf('language/colours')}|#[0-9a-f]{3,8}`)]],
  phone: [
    [1, /(?<![\p{L}\p{N}.])(?:\+|0)\p{N}[\p{N}\s()/-]{5,}\p{N}|\p{N}{3,}[\s/-]\p{N}{3,}/gu],
    [0.6, /(?:mobile|ends? in|extension|number)\D{0,16}\p{N}{3,}/giu],
  ],
  email: [[1, /[\p{L}\p{N}._%+-]+@[\p{L}\p{N}.-]+\.\p{L}{2,}/gu]],
  url: [
    [
      1,
      /https?:\/\/\S+|(?<![\p{L}@])(?:www\.)?[\p{L}\p{N}-]+\.(?:com|org|net|de|io|dev|eu|app|example|local|internal)(?!\p{L})\S*/giu,
    ],
  ],
  version: [
    [1, /(?<![\p{L}\p{N}])v?\p{N}+(?:\.\p{N}+)+|v\p{N}+/giu],
    [
      0.8,
      /(?<=(?:\p{Lu}\p{L}*|version|\p{L}{3,}(?:js|sql|ql))\s(?:[<>=≥]+\s?)?)\p{N}{1,4}(?![\p{N}:]|\s?(?:%|euro|ms|s|seconds|minutes|hours|days|kg|mg))/gu,
    ],
  ],
  reason: [
    [
      1,
      any(
        `${BEGINS}(?:because|so that|due to|caused?|reason|therefore|owing to|thanks to|otherwise|or else|in order to|root cause|weil|damit|denn|wegen|porque|parce|car)${ENDS}`,
        '因为|から|ので|ため',
        `${BEGINS}since\\s(?:\\p{L}+\\s){1,3}(?:is|are|was|were|has|have|had|do|does|did|can|could|lacked|want|needs?)${ENDS}`,
      ),
    ],
    [
      0.7,
      any(
        `${BEGINS}(?:so|since|as|needs?|para|pour|afraid|too|can't|cannot|couldn't|doesn't|don't|didn't|no longer|never|not|without)${ENDS}`,
        '[;:–—]',
        `${BEGINS}(?:to|for)\\s\\p{Ll}{3,}`,
      ),
    ],
  ],
};
