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
  readonly noAnswer: (day: string | undefined) => string;
  readonly mentionsNone: (words: string) => string;
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
    noAnswer: (day) =>
      day === undefined
        ? 'Nothing in memory answers this.'
        : `Nothing that was in memory on ${day} answers this.`,
    mentionsNone: (words) => `No memory mentions ${words}.`,
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
    noAnswer: (day) =>
      day === undefined
        ? 'Keine Notiz beantwortet das.'
        : `Keine Notiz, die es am ${day} gab, beantwortet das.`,
    mentionsNone: (words) => `Keine Notiz erwähnt ${words}.`,
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
    noAnswer: (day) =>
      day === undefined
        ? 'Ninguna nota responde a esto.'
        : `Ninguna nota que había el ${day} responde a esto.`,
    mentionsNone: (words) => `Ninguna nota menciona ${words}.`,
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
    noAnswer: (day) =>
      day === undefined
        ? 'Aucune note ne répond à cela.'
        : `Aucune note en mémoire le ${day} ne répond à cela.`,
    mentionsNone: (words) => `Aucune note ne mentionne ${words}.`,
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
    noAnswer: (day) =>
      day === undefined ? 'Nessuna nota risponde.' : `Nessuna nota che c’era il ${day} risponde.`,
    mentionsNone: (words) => `Nessuna nota menziona ${words}.`,
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
    noAnswer: (day) =>
      day === undefined
        ? 'Geen notitie beantwoordt dit.'
        : `Geen notitie die er op ${day} was, beantwoordt dit.`,
    mentionsNone: (words) => `Geen notitie noemt ${words}.`,
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
    noAnswer: (day) =>
      day === undefined
        ? 'Nenhuma nota responde a isto.'
        : `Nenhuma nota que havia em ${day} responde a isto.`,
    mentionsNone: (words) => `Nenhuma nota menciona ${words}.`,
  },
};

/** The frame of answers to a question in a language. */
export function frameOf(language: TextLanguage): Frame {
  return FRAMES[language];
}
