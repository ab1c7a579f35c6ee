import type { TextLanguage } from '../../language/abroad/tell-language.ts';

/** The words around quotes in one language; days come written out. */
export interface Frame {
  /** For `Intl.DateTimeFormat`. */
  readonly locale: string;
  readonly notSure: string;
  readonly until: (day: string) => string;
  readonly stored: (day: string) => string;
  readonly asOf: (day: string) => string;
  readonly inSessions: string;
  readonly nothingIn: (where: string, day: string | undefined) => string;
  readonly inNamespace: (name: string) => string;
  readonly noAnswer: (where: string, day: string | undefined) => string;
  /** `isOne` where one namespace was looked at, which the sentence before names. */
  readonly mentionsNone: (words: string, isOne: boolean) => string;
}

/** The frames of an answer: what is quoted stays in the language of its note, what stands around it is in that of the question. */
const FRAMES: Readonly<Record<TextLanguage, Frame>> = {
  en: {
    locale: 'en-GB',
    notSure: 'Not sure. The closest in memory:',
    until: (day) => `Until ${day}: `,
    stored: (day) => `stored ${day}`,
    asOf: (day) => `(as of ${day})`,
    inSessions: 'In sessions:',
    nothingIn: (where, day) =>
      day === undefined ? `Nothing is in memory${where}.` : `Nothing was in memory${where} on ${day}.`,
    inNamespace: (name) => ` in the namespace “${name}”`,
    noAnswer: (where, day) =>
      day === undefined
        ? `Nothing in memory${where} answers this.`
        : `Nothing that was in memory${where} on ${day} answers this.`,
    mentionsNone: (words, isOne) => `No memory${isOne ? ' there' : ''} mentions ${words}.`,
  },
  de: {
    locale: 'de',
    notSure: 'Nicht sicher. Am nächsten kommt:',
    until: (day) => `Bis ${day}: `,
    stored: (day) => `gespeichert am ${day}`,
    asOf: (day) => `(Stand ${day})`,
    inSessions: 'In Sitzungen:',
    nothingIn: (where, day) =>
      day === undefined ? `Es ist nichts gespeichert${where}.` : `Am ${day} war nichts gespeichert${where}.`,
    inNamespace: (name) => ` im Namensraum „${name}“`,
    noAnswer: (where, day) =>
      day === undefined
        ? `Keine Notiz${where} beantwortet das.`
        : `Keine Notiz, die es am ${day}${where} gab, beantwortet das.`,
    mentionsNone: (words, isOne) => `Keine Notiz${isOne ? ' dort' : ''} erwähnt ${words}.`,
  },
  es: {
    locale: 'es',
    notSure: 'No es seguro. Lo más cercano en la memoria:',
    until: (day) => `Hasta el ${day}: `,
    stored: (day) => `guardado el ${day}`,
    asOf: (day) => `(a fecha de ${day})`,
    inSessions: 'En sesiones:',
    nothingIn: (where, day) =>
      day === undefined ? `No hay nada guardado${where}.` : `El ${day} no había nada guardado${where}.`,
    inNamespace: (name) => ` en el espacio «${name}»`,
    noAnswer: (where, day) =>
      day === undefined
        ? `Ninguna nota${where} responde a esto.`
        : `Ninguna nota que había el ${day}${where} responde a esto.`,
    mentionsNone: (words, isOne) => `Ninguna nota${isOne ? ' de ahí' : ''} menciona ${words}.`,
  },
  fr: {
    locale: 'fr',
    notSure: 'Pas sûr. Le plus proche en mémoire :',
    until: (day) => `Jusqu’au ${day} : `,
    stored: (day) => `noté le ${day}`,
    asOf: (day) => `(au ${day})`,
    inSessions: 'Dans les sessions :',
    nothingIn: (where, day) =>
      day === undefined ? `Rien n’est en mémoire${where}.` : `Rien n’était en mémoire${where} le ${day}.`,
    inNamespace: (name) => ` dans l’espace « ${name} »`,
    noAnswer: (where, day) =>
      day === undefined
        ? `Aucune note${where} ne répond à cela.`
        : `Aucune note en mémoire${where} le ${day} ne répond à cela.`,
    mentionsNone: (words, isOne) => `Aucune note ${isOne ? 'n’y' : 'ne'} mentionne ${words}.`,
  },
  it: {
    locale: 'it',
    notSure: 'Non è sicuro. La cosa più vicina in memoria:',
    until: (day) => `Fino al ${day}: `,
    stored: (day) => `salvato il ${day}`,
    asOf: (day) => `(al ${day})`,
    inSessions: 'Nelle sessioni:',
    nothingIn: (where, day) =>
      day === undefined
        ? `Non c’è nulla in memoria${where}.`
        : `Il ${day} non c’era nulla in memoria${where}.`,
    inNamespace: (name) => ` nello spazio «${name}»`,
    noAnswer: (where, day) =>
      day === undefined
        ? `Nessuna nota${where} risponde.`
        : `Nessuna nota che c’era il ${day}${where} risponde.`,
    mentionsNone: (words, isOne) => `Nessuna nota${isOne ? ' lì' : ''} menziona ${words}.`,
  },
  nl: {
    locale: 'nl',
    notSure: 'Niet zeker. Het dichtstbij in het geheugen:',
    until: (day) => `Tot ${day}: `,
    stored: (day) => `bewaard op ${day}`,
    asOf: (day) => `(stand van ${day})`,
    inSessions: 'In sessies:',
    nothingIn: (where, day) =>
      day === undefined ? `Er is niets bewaard${where}.` : `Op ${day} was er niets bewaard${where}.`,
    inNamespace: (name) => ` in de naamruimte “${name}”`,
    noAnswer: (where, day) =>
      day === undefined
        ? `Geen notitie${where} beantwoordt dit.`
        : `Geen notitie die er op ${day}${where} was, beantwoordt dit.`,
    mentionsNone: (words, isOne) => `Geen notitie${isOne ? ' daar' : ''} noemt ${words}.`,
  },
  pt: {
    locale: 'pt-PT',
    notSure: 'Não é certo. O mais próximo na memória:',
    until: (day) => `Até ${day}: `,
    stored: (day) => `guardado em ${day}`,
    asOf: (day) => `(em ${day})`,
    inSessions: 'Em sessões:',
    nothingIn: (where, day) =>
      day === undefined ? `Não há nada guardado${where}.` : `Em ${day} não havia nada guardado${where}.`,
    inNamespace: (name) => ` no espaço «${name}»`,
    noAnswer: (where, day) =>
      day === undefined
        ? `Nenhuma nota${where} responde a isto.`
        : `Nenhuma nota que havia em ${day}${where} responde a isto.`,
    mentionsNone: (words, isOne) => `Nenhuma nota${isOne ? ' aí' : ''} menciona ${words}.`,
  },
};

/** The frame of answers to a question in a language. */
export function frameOf(language: TextLanguage): Frame {
  return FRAMES[language];
}
