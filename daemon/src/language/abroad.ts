import { foldText } from './words.ts';

/** What questions in German, French, Spanish, Italian, Dutch and Portuguese often ask for, and how an English note says it. */
export interface AskedAbroad {
  /** How an English question says it. */
  readonly english: string;
  /** Words that ask for it, folded and in small letters; what ends in `*` begins so. */
  readonly words: readonly string[];
  /** What an English sentence has to have that states it. */
  readonly said: RegExp;
  /** What its answer has to have besides. */
  readonly shape?: RegExp;
  /** It is said of somebody by a verb: `Anna lives`, not `Anna's mother lives`. */
  readonly isVerb?: true;
  /** It says little beside another one: how the doctor *is called*. */
  readonly isLight?: true;
}

/** A thing that such a question names, and how an English note calls it. */
export interface NamedAbroad {
  readonly english: string;
  readonly words: readonly string[];
  readonly said: RegExp;
}

const list = (words: string) => words.split(/\s+/u);
const DIGIT = /\p{N}/u;

/** Attributes that are often asked for. */
export const ASKED_ABROAD: readonly AskedAbroad[] = [
  {
    english: 'where live lives',
    words: list(
      'wohnt wohne wohnst wohnen wohnort lebt habite habites habitent vit vive vives viven vivono vivem abita abitano woont wonen mora moram',
    ),
    said: /\b(?:lives?|living|resides?|moved (?:\w+ )?to|based in|address)\b/iu,
    isVerb: true,
  },
  {
    english: 'where work works job',
    words: list(
      'arbeitet arbeitest arbeiten travaille travaillent trabaja trabajan lavora lavorano werkt werken trabalha trabalham',
    ),
    said: /\b(?:works (?!out)|working|employed|employer|hired|job (?:at|in|with|is)|started at)\b/iu,
    isVerb: true,
  },
  {
    english: 'when born date of birth',
    words: list(
      'geboren geburtsdatum ne nee naissance nacio nacido nacida nacimiento nato nata nacque nascita geboortedatum nasceu nascido nascida nascimento',
    ),
    said: /\b(?:born|birth|birthday)\b/iu,
    isVerb: true,
  },
  {
    english: 'when birthday',
    words: list('geburtstag anniversaire cumpleanos compleanno jarig verjaardag aniversario'),
    said: /\b(?:birthday|born)\b/iu,
    shape: DIGIT,
  },
  {
    english: 'phone number',
    words: list(
      'telefonnummer handynummer rufnummer telefon handy telephone portable telefono movil cellulare telefoonnummer telefoon telefone telemovel celular',
    ),
    said: /\b(?:phone|mobile|cell|number|tel|call)\b/iu,
    shape: /(?:\p{N}[\s./()+-]*){5}/u,
  },
  {
    english: 'email address',
    words: list('email mail emailadresse mailadresse courriel correo mailadres'),
    said: /[^\s@]@[^\s@]/u,
  },
  {
    english: 'address',
    words: list('adresse anschrift direccion indirizzo adres endereco morada'),
    said: /\b(?:address|lives at)\b/iu,
    shape: DIGIT,
  },
  {
    english: 'married to wife husband',
    words: list(
      'verheiratet geheiratet heiratete ehemann ehefrau marie mariee mari epouse epoux casado casada esposa esposo sposato sposata moglie marito getrouwd echtgenoot echtgenote marido',
    ),
    said: /\b(?:married|wife|husband|spouse)\b/iu,
  },
  {
    english: 'allergic to allergy',
    words: list('allerg* alerg*'),
    said: /\b(?:allerg\w+|intoleran\w+|(?:cannot|can['’]t|must not) eat)\b/iu,
    isVerb: true,
  },
  {
    english: 'favourite',
    words: list(
      'liebling* prefere preferee preferes favorito favorita preferido preferida preferito preferita lieveling* favoriete',
    ),
    said: /\b(?:favou?rite|prefers)\b/iu,
  },
  {
    english: 'car drives',
    words: list('auto wagen voiture coche macchina carro'),
    said: /\b(?:car|drives|vehicle)\b/iu,
  },
  {
    english: 'doctor',
    words: list('arzt arztin hausarzt hausarztin medecin docteur medico medica dottore arts huisarts dokter'),
    said: /\b(?:doctor|dr|gp|physician)\b/iu,
  },
  {
    english: 'dentist',
    words: list('zahnarzt zahnarztin dentiste dentista tandarts'),
    said: /\bdentist\b/iu,
  },
  {
    english: 'password',
    words: list('passwort kennwort contrasena wachtwoord senha passe'),
    said: /\b(?:password|passcode|passphrase)\b/iu,
  },
  {
    english: 'name called',
    words: list('heisst heissen appelle llama chiama heet chama'),
    said: /\b(?:called|named|name is|names are)\b/iu,
    isLight: true,
  },
];

/** Things that they are asked of. */
export const NAMED_ABROAD: readonly NamedAbroad[] = [
  {
    english: 'my',
    words: list(
      'ich mein meine meinen meinem meiner je mon ma mes yo mi mis io mio mia miei ik mijn eu meu minha meus minhas',
    ),
    said: /\b(?:I|my|me|we|our)\b/iu,
  },
  { english: 'cat', words: list('katze kater chat gato gatto kat'), said: /\b(?:cat|kitten|tomcat)\b/iu },
  { english: 'dog', words: list('hund chien perro cane hond cao'), said: /\b(?:dog|puppy)\b/iu },
  { english: 'brother', words: list('bruder frere hermano fratello broer irmao'), said: /\bbrothers?\b/iu },
  { english: 'sister', words: list('schwester soeur hermana sorella zus irma'), said: /\bsisters?\b/iu },
  { english: 'mother', words: list('mutter mere madre moeder mae'), said: /\b(?:mother|mum|mom)\b/iu },
  { english: 'father', words: list('vater pere padre vader pai'), said: /\b(?:father|dad)\b/iu },
  { english: 'son', words: list('sohn fils hijo figlio zoon filho'), said: /\bsons?\b/iu },
  { english: 'daughter', words: list('tochter fille hija figlia dochter filha'), said: /\bdaughters?\b/iu },
  { english: 'colour', words: list('farbe couleur color colore kleur cor'), said: /\bcolou?r\b/iu },
  {
    english: 'food',
    words: list('essen gericht plat comida cibo piatto eten prato'),
    said: /\b(?:food|dish|meal)\b/iu,
  },
  { english: 'book', words: list('buch livre libro boek livro'), said: /\bbook\b/iu },
  { english: 'film', words: list('pelicula filme'), said: /\b(?:film|movie)\b/iu },
  { english: 'song', words: list('lied chanson cancion canzone cancao'), said: /\bsong\b/iu },
];

/** Words of grammar and of questions in those languages, and verbs that say nothing beside what is asked for. */
const SMALL = new Set(
  list(
    `der die das den dem des ein eine einen einem einer ist sind hat haben wo wann wie wer wem wen was welche welcher welches welchen wogegen womit
    mit von vom bei fur im in am und lautet fahrt denn eigentlich jetzt heute derzeit aktuell noch gerade nummer
    le la les l d un une du de des est a ont ou quand qui quel quelle quels quelles comment quoi se s il elle en avec pour au aux que qu numero
    conduit maintenant actuellement mot ait
    el los las lo una uno es tiene donde cuando quien cual cuales como con del al y por para en su ahora conduce
    il gli i della dello dei delle di da che chi dove quando quale qual cosa come e ha con su per nel nella si adesso ora guida
    het een van is zijn heeft waar wanneer wie wat welk welke hoe met voor op te bij nu rijdt tegen
    o os as um uma do dos das onde quando quem qual que tem com no na ao esta agora dirige nome
    e-mail`,
  ),
);

/** The words of a question: folded, in small letters, without what an apostrophe cuts off. */
function wordsIn(text: string): string[] {
  return (foldText(text).match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => word.replaceAll('ß', 'ss'));
}

const matches = (words: readonly string[], word: string) =>
  words.some((one) => (one.endsWith('*') ? word.startsWith(one.slice(0, -1)) : one === word));

/** Such words with a capital are names: Marie is married, and Irma somebody's sister, but not by that. */
const NAMES_TOO = new Set(list('marie irma mari ne nee cor passe lied'));
/** A question with one of these is English, whatever else it has: a car is an auto there, too, and an allergy has the same letters. */
const ENGLISH =
  /(?<!\p{L})(?:the|what|which|who|whose|when|where|why|how|does|did|are|my|our|your|his|their|to|and|with|from|for|about|have|should|could|would|this|that|there|they|she|any|please|allergic|allergy|insurance)(?!\p{L})/iu;
/** Verbs at the beginning of an English question or wish. */
const BEGINS_ENGLISH = /^\W*(?:can|tell|give|find|show|list|get)\s/iu;

/** A question in one of those languages for one of those attributes, and what it names. */
export interface QuestionAbroad {
  readonly asked: AskedAbroad;
  /** The word that asks for it, as it is written there. */
  readonly written: string;
  readonly things: readonly NamedAbroad[];
  /** What is neither: names, in the order of the question; at least one, or a thing. */
  readonly names: readonly string[];
}

/** Reads such a question; undefined where it asks for none of these attributes, for more than one, or names nothing. */
export function readAbroad(text: string): QuestionAbroad | undefined {
  if (ENGLISH.test(text) || BEGINS_ENGLISH.test(text)) return undefined;
  const words = wordsIn(text).filter((word) => word.length > 1);
  const found = new Map<AskedAbroad, string>();
  const things = new Set<NamedAbroad>();
  const names: string[] = [];
  for (const word of words) {
    const lower = word.toLowerCase();
    const isName = word !== lower && NAMES_TOO.has(lower);
    const asked = isName ? undefined : ASKED_ABROAD.find((one) => matches(one.words, lower));
    if (asked) found.set(asked, word);
    const tail = /^(?:liebling|lieveling)s?(.*)$/u.exec(lower)?.[1] ?? lower;
    const thing = isName ? undefined : NAMED_ABROAD.find((one) => matches(one.words, tail));
    if (thing) things.add(thing);
    if (!asked && !thing && !SMALL.has(lower)) names.push(word);
  }
  const [one, ...others] = [...found].filter(([{ isLight }], _, all) => all.length === 1 || !isLight);
  if (!one || others.length > 0 || names.length + things.size === 0) return undefined;
  const [asked, written] = one;
  return { asked, written, things: [...things], names };
}
