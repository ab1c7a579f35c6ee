import { describe, expect, it, test } from 'vitest';
import { hasAbroad, indexedAbroad, inEnglish, languageAbroad, sensesOf } from './in-english.ts';

describe('the language of a text', () => {
  test.each([
    ['en', 'The boiler service is due in March.'],
    ['en', 'He is in no hurry, and neither am I'],
    ['en', 'dentist Tuesday 14:30'],
    ['en', 'git rebase --onto main'],
    ['en', 'Die Hard'],
    ['en', 'El Niño'],
    ['en', ''],
    ['en', '127.0.0.1:5432'],
    ['en', 'Spotkanie z hydraulikiem jutro rano'],
    ['de', 'Die Heizung im Kinderzimmer klopft nachts.'],
    ['de', 'Zahnarzt Dienstag 14:30'],
    ['fr', 'La chaudière fuit, le plombier passe mardi.'],
    ['es', 'La caldera pierde agua y el fontanero viene el martes.'],
    ['it', 'La caldaia perde acqua, martedì viene l’idraulico.'],
    ['nl', 'De ketel lekt en de loodgieter komt dinsdag.'],
    ['pt', 'A caldeira está a perder água, o canalizador vem na terça-feira.'],
  ])('%s: %s', (language, text) => {
    expect(languageAbroad(text)).toBe(language);
  });
});

describe('a text in English words', () => {
  test.each([
    ['The boiler is due in March.\nAsk Herr Kunz.', 'The boiler is due in March.\nAsk Herr Kunz.'],
    ['Der Vermieter kommt am 3. Mai.', /^the landlord \S+ on 3 May\.$/],
    ['Der Vermieter kommt um 14 Uhr 30 und bringt 1.200,50 € mit.', /14:30 .*1200\.50/],
    ['Rendez-vous chez le dentiste à 14 h 30', /^appointment at the dentist at 14:30\.$/],
    ['El miércoles viene Marta', /^the Wednesday .* Marta\.$/],
    ['Wie viel kostet die Miete?', /^how much .* the rent\.$/],
    ['À quelle heure ouvre la boulangerie ?', /^at what time .* the bakery\.$/],
    ['Quanto costa l’affitto?', /^how much does cost .*rent\.$/],
  ])('%s', (text, english) => {
    if (typeof english === 'string') expect(inEnglish(text)).toBe(english);
    else expect(inEnglish(text)).toMatch(english);
  });

  it('takes each sentence by itself, where a text is in two languages', () => {
    const text = 'The neighbour has the spare key.\nDie Nachbarin hat den Ersatzschlüssel nicht mehr.';
    const [first, second] = inEnglish(text).split('\n');
    expect(first).toBe('The neighbour has the spare key.');
    expect(second).toMatch(/^the neighbour has the spare key no longer\.$/);
    expect(hasAbroad(text)).toBe(true);
    expect(hasAbroad(first ?? '')).toBe(false);
  });
});

describe('words', () => {
  test.each([
    // Forms of nouns and verbs.
    ['Das sind die Schlüssel der Nachbarn', 'key'],
    ['Wir haben die Rechnungen bezahlt', 'invoice'],
    ['Les clés sont chez la voisine', 'key'],
    ['Las llaves están en la cocina', 'kitchen'],
    ['Le chiavi sono in cucina', 'key'],
    ['De sleutels liggen in de keuken', 'kitchen'],
    ['As chaves estão na cozinha', 'kitchen'],
    // Participles and compounds, which no dictionary has whole.
    ['Das Paket wurde schon abgeholt', 'picked up'],
    ['Ist die Heizungsrechnung da?', 'heating'],
    ['De verwarmingsrekening is er nog niet', 'heating'],
  ])('%s has %s', (text, word) => {
    expect(inEnglish(text)).toContain(word);
  });

  it('of a query are looked for as they stand, and as what they may be', () => {
    const senses = sensesOf('Wann kommt die Rechnung?');
    expect(senses.get('rechnung')).toEqual(expect.arrayContaining(['bill', 'invoice']));
    expect(senses.has('wann')).toBe(false);
    expect(sensesOf('When does the bill come?').size).toBe(0);
  });

  it('of grammar stay out of the text index', () => {
    expect(indexedAbroad('Der Schlüssel ist bei der Nachbarin.')).not.toMatch(/\b(?:the|is|at)\b/);
    expect(indexedAbroad('The key is with the neighbour.')).toBe('');
  });
});
