import { describe, expect, it } from 'vitest';
import { isSupported, marksIn, withoutMarks } from './support.ts';
import { loadTagWords } from '../../../language/parts-of-speech.ts';
import { answering, asking } from '../testing/asking.ts';

const tagWords = await loadTagWords();

const LEASE = 'The flat is let until 30 June 2027. The rent is 1,307 euro a month.';
const isSaid = (text: string, value: string, question = 'How much is the rent of the flat?') =>
  isSupported(text, [answering({ key: 'note', value })], { question: asking(question), tagWords });

describe('a sentence is supported', () => {
  it.each([
    ['by the same words', 'The rent of the flat is 1,307 euro a month.', LEASE],
    ['by a figure that is written otherwise', 'The rent of the flat is 1307 euro.', LEASE],
    ['by the day of the note', 'On 1 May 2026 the rent was 1,307 euro a month.', LEASE],
    ['by a denial of the note', 'Pixel does not get chicken.', 'Pixel gets no chicken, she prefers tuna.'],
  ])('%s', (_, text, value) => {
    expect(isSaid(text, value)).toBe(true);
  });

  it.each([
    ['Does Lena eat fish?', 'No, Lena is a vegetarian.', 'Lena is a vegetarian since January.'],
    [
      'On which day does Sofie not work?',
      'Sofie does not work on Mondays.',
      'Sofie: free day is only Monday.',
    ],
    [
      'Why did Bettina quit?',
      'Bettina did not quit, she was promoted to principal.',
      'Bettina was promoted to principal in May.',
    ],
  ])('that denies what was asked: %s', (question, text, value) => {
    expect(isSaid(text, value, question)).toBe(true);
  });

  it.each([
    [
      'in the language of the question, of a note in another one',
      'Durch welchen Eingang darf der Hund ins Hospiz?',
      'Der Hund darf nur durch den Garteneingang hinein und nicht durch die Küche.',
      'At the hospice the dog is allowed in by the garden gate only, and by no other way.',
    ],
    [
      'with a month that is written otherwise there',
      'When is the appointment at the tax office?',
      'The appointment is on 3 March at the tax office.',
      'Der Termin beim Finanzamt ist am 3. März um 9 Uhr, und er ist nicht zu verschieben.',
    ],
    [
      'of a note in Chinese',
      '中文课每小时多少钱？',
      'The lesson is 25 euro an hour for you.',
      '学费不变，每小时25欧元，改成网上上课。',
    ],
  ])('%s', (...[, question, text, value]) => {
    expect(isSaid(text, value, question)).toBe(true);
  });
});

describe('a sentence is not supported', () => {
  it.each([
    ['with a figure of its own', 'The rent of the flat is 1,200 euro a month.', LEASE],
    ['with half of a figure', 'The ticket is 50 euro.', 'The ticket is 9.50 euro.'],
    ['with half of a figure with a comma', 'The ticket is 5 euro.', 'The ticket is 9,5 euro.'],
    ['of more than a thousand characters', `The rent ${'of the flat '.repeat(100)}is 1,307 euro.`, LEASE],
    ['with a name of its own', 'The rent of the flat is paid to Mr Uhlig.', LEASE],
    ['about something else', 'Most landlords ask for a deposit.', LEASE],
    ['that denies what the note says', 'The flat is not let until 30 June 2027.', LEASE],
    ['of no words at all', '…', LEASE],
    ['with a letter that was garbled on its way', 'The rent of the fl\ufffdt is 1,307 euro a month.', LEASE],
    [
      'with a figure of its own, of a note in another language',
      'The appointment is on 5 March at the tax office.',
      'Der Termin beim Finanzamt ist am 3. März um 9 Uhr, und er ist nicht zu verschieben.',
    ],
  ])('%s', (_, text, value) => {
    expect(isSaid(text, value)).toBe(false);
  });
});

describe('a name at the start of a sentence', () => {
  it.each([
    ['of nobody whom the note names', 'Mallory pays the rent of the flat.', LEASE],
    ['that is a word, too', 'Mark pays the rent of the flat.', LEASE],
    ['that is in no dictionary', 'Uhlig lets the flat until 30 June 2027.', LEASE],
    ['behind a title', 'The rent of the flat goes to Dr. Okafor.', LEASE],
    ['of a product', 'Zplkit says that the rent is 1,307 euro a month.', LEASE],
    ['in the second sentence', 'The rent is 1,307 euro. Mallory pays the rent.', LEASE],
    ['in quotation marks', '"Trethowan" is where the flat is let.', LEASE],
    [
      'in German',
      'Mallory zahlt die Miete von 940 Euro.',
      'Die Miete der Wohnung beträgt 940 Euro im Monat.',
    ],
  ])('%s is not supported', (_, text, value) => {
    expect(isSaid(text, value)).toBe(false);
  });

  it.each([
    ['stands in the note', 'Uhlig lets the flat.', 'Herr Uhlig has let the flat to us.'],
    ['has another title', 'Mr Uhlig lets the flat.', 'Dr. Uhlig has let the flat to us.'],
    ['is an ordinary word', 'Rent is 1,307 euro a month.', LEASE],
    ['is another form of one', 'Letting the flat ends on 30 June 2027.', LEASE],
    ['is a word of grammar', 'Although the flat is let, the rent is 1,307 euro.', LEASE],
    ['is a contraction', "Couldn't say: the flat is let until 30 June 2027.", LEASE],
    [
      'is a German noun',
      'Kosten: 940 Euro im Monat für die Wohnung.',
      'Die Miete der Wohnung beträgt 940 Euro im Monat.',
    ],
  ])('that %s is', (_, text, value) => {
    expect(isSaid(text, value, 'Is it so that the flat is let?')).toBe(true);
  });
});

describe('a word that no dictionary has, at the start of a sentence', () => {
  const PILLS =
    'Lena takes paracetamoltablets and co-codamol for the pain, a lactobacillus drink, and has wi-fi in her room. Robert brings it, and the nitroglycerin.';
  it.each([
    ['of which the note has a compound', 'Paracetamol is what Lena takes for the pain.', true],
    [
      'of which the note has the end of a compound',
      'Glycerin is what Robert brings to Lena for the pain.',
      true,
    ],
    ['of which the note has a part', 'Codamol is what Lena takes for the pain.', true],
    ['that ends otherwise', 'Lactobacilli are in the drink of Lena.', true],
    ['without the hyphen', 'Wifi is in the room of Lena.', true],
    ['that is not in the note', 'Zopiclone is what Lena takes for the pain.', false],
    ['that is a surname made of a first name', 'Robertson brings it to the room of Lena.', false],
    ['that is a first name made of another', 'Roberta brings it to the room of Lena.', false],
    ['that is a surname behind a first name', 'Lena Tabletson brings it to the room.', false],
  ])('%s', (_, text, isIt) => {
    expect(isSaid(text, PILLS, 'What about Lena?')).toBe(isIt);
  });

  it('may have the hyphen that the note does not have', () => {
    expect(isSaid('Wi-Fi is in the room of Lena.', 'The room of Lena has wifi.', 'What about Lena?')).toBe(
      true,
    );
  });

  it('may be a part of a German noun, and no surname', () => {
    const said =
      'Lena nimmt Paracetamoltabletten gegen die Schmerzen, Frau Hartmann bringt sie ihr am Abend.';
    const question = 'Was nimmt Lena?';
    expect(isSaid('Lena nimmt gegen die Schmerzen Paracetamol.', said, question)).toBe(true);
    expect(isSaid('Lena nimmt gegen die Schmerzen Ibuprofen.', said, question)).toBe(false);
    expect(isSaid('Frau Hartmannsdorf bringt sie Lena am Abend.', said, question)).toBe(false);
  });
});

describe('a name', () => {
  const NOTE =
    'The barber is open on Mondays, and we drive to the market in winter. Anna got a good mark and a rose from the baker.';
  it.each([
    ['that begins like an ordinary word', 'We drink Barbera on Mondays.', false],
    ['at the start that begins like one', 'Barbera is open on Mondays.', false],
    ['that ends like one of science', 'Anna got a rose from Marketa.', false],
    ['of a town that begins like one', 'We drive to Winterthur, to the market.', false],
    ['of a person that is a common noun there', 'Anna got a rose from Mark.', false],
    ['behind a title that is a common noun there', 'Anna got a rose from Mr Baker.', false],
    ['that is none', 'The Barber is open on Mondays.', true],
  ])('%s', (_, text, isIt) => {
    expect(isSaid(text, NOTE, 'What is open?')).toBe(isIt);
  });

  it('may be written small by who writes so', () => {
    expect(isSaid('Anna got a rose from Mark.', 'anna got a rose from mark', 'What did she get?')).toBe(true);
    expect(isSaid('Anna got a rose from Mark.', 'Anna got a rose from mark.', 'What did she get?')).toBe(
      true,
    );
  });

  it('is no longer word of which it is the beginning', () => {
    expect(isSaid('Anna has to call Winter.', 'Anna has to call in the wintertime.', 'What?')).toBe(false);
  });
});

describe('a German sentence may have', () => {
  const MIETE =
    'Die Wohnung in der Hafenstraße kostet 940 Euro im Monat, Frau Uhlig will es am Ersten haben.';
  it.each([
    ['nouns of its own', 'Die monatliche Miete der Wohnung beträgt 940 Euro.', true],
    ['endings of its own', 'Frau Uhligs Wohnung kostet 940 Euro.', true],
    ['no name of its own', 'Die Wohnung kostet 940 Euro, zu zahlen an Mallory.', false],
    ['none that only looks like a noun', 'Die Wohnung von Trethowan kostet 940 Euro.', false],
  ])('%s', (_, text, isIt) => {
    expect(isSaid(text, MIETE, 'Wie hoch ist die Miete?')).toBe(isIt);
  });
});

describe('a translated sentence', () => {
  const TERMIN = 'Der Termin beim Finanzamt in München ist am 3. März um 9 Uhr, und Frau Uhlig kommt mit.';
  const DOG =
    'Pixel does not get chicken from Lena, for she is allergic to it, and they have a vet in Germany.';
  it.each([
    ['with the names of the note', 'The appointment is on 3 March, and Mrs Uhlig is coming.', TERMIN, true],
    ['with a city that is called otherwise', 'The appointment is at the Tax Office in Munich.', TERMIN, true],
    [
      'with a city whose names share no beginning',
      'The office is in Vienna, and she is from Geneva.',
      'Das Büro ist in Wien, und sie kommt aus Genf.',
      true,
    ],
    [
      'that begins with such a city',
      'Cologne is where the fair is.',
      'Die Messe ist in Köln und nicht in Düsseldorf.',
      true,
    ],
    [
      'with a city in two words',
      'Das Büro ist in Kapstadt und nicht in Den Haag.',
      'The office is in Cape Town and not in The Hague.',
      true,
    ],
    ['with another city', 'The office is in Prague.', 'Das Büro ist in Wien, und sie kommt aus Genf.', false],
    ['with a name of its own', 'The appointment is on 3 March, and Mrs Trethowan is coming.', TERMIN, false],
    ['that begins with one', 'Mallory is coming to the appointment on 3 March.', TERMIN, false],
    ['with another month', 'The appointment is on 3 April at the tax office.', TERMIN, false],
    [
      'with another weekday',
      'The appointment is on a Tuesday at the tax office.',
      'Der Termin ist am Montag um 9 Uhr.',
      false,
    ],
    [
      'with the weekday of the note',
      'The appointment is on a Monday.',
      'Der Termin ist am Montag um 9 Uhr.',
      true,
    ],
    [
      'in German',
      'Lena gibt Pixel kein Huhn, weil sie eine Allergie hat, und der Tierarzt ist in Deutschland.',
      DOG,
      true,
    ],
    [
      'in German with a name of its own',
      'Mallory gibt Pixel kein Huhn, weil sie eine Allergie hat.',
      DOG,
      false,
    ],
    ['in Spanish', 'Lena no le da pollo a Pixel, y el veterinario es de Alemania.', DOG, true],
    ['in Spanish with a name of its own', 'El veterinario de Pixel es el doctor Trethowan.', DOG, false],
    [
      'of another script',
      'Lena does not give Pixel the chicken.',
      'Лена не даёт Пикселю курицу, у неё аллергия.',
      true,
    ],
    [
      'of another script with a figure of its own',
      'The price is 50 euro.',
      'Это стоит 40 евро в месяц.',
      false,
    ],
    ['into another script, with names', 'Лена не даёт Пикселю курицу.', DOG, true],
    ['into another script, with a Latin name', 'Η Λένα δεν δίνει κοτόπουλο στον Pixel.', DOG, true],
    [
      'from one script that is not Latin into another',
      'Η γάτα λέγεται Μίσο.',
      'Нашу кошку зовут Мисо, и она серая.',
      true,
    ],
    ['with a month that is called otherwise', 'It is on 3 March.', 'De afspraak is op 3 maart.', true],
    ['with a weekday that is called otherwise', 'It is on Monday.', 'De afspraak is op maandag.', true],
    ['with a Spanish weekday', 'It is on Monday.', 'La cita con el médico es el lunes a las 9.', true],
    ['with another one', 'It is on Tuesday.', 'La cita con el médico es el lunes a las 9.', false],
    ['with a month of another script', 'It is on 3 March.', 'Приём у врача 3 марта в 9 утра.', true],
    ['with another day of such a month', 'It is on 4 March.', 'Приём у врача 3 марта в 9 утра.', false],
  ])('%s', (...[, text, value, isIt]) => {
    expect(isSaid(text, value, 'What is it about?')).toBe(isIt);
  });

  it('is none in the same language with other endings', () => {
    expect(isSaid('Лена не ест рыбу.', 'Лене нельзя рыбы: не ест её с марта.', 'Что не ест Лена?')).toBe(
      true,
    );
    expect(isSaid('Рыбу не ест Мэллори.', 'Лене нельзя рыбы: не ест её с марта.', 'Кто не ест рыбу?')).toBe(
      false,
    );
  });
});

it('compares notes with long runs of blanks in no time', () => {
  const from = process.cpuUsage();
  expect(isSaid('The rent of the flat is 1,307 euro.', `${' '.repeat(60_000)}${LEASE}`)).toBe(true);
  expect(withoutMarks(`a${' '.repeat(60_000)}b`)).toHaveLength(60_002);
  expect(process.cpuUsage(from).user).toBeLessThan(1_000_000);
});

it.each([
  ['The ticket is 9.50 euro.', 'A ticket costs 9.50 euro now.'],
  ['The ticket is 9,50 euro.', 'A ticket costs 9.50 euro now.'],
  ['The ticket is 9 euro.', 'A ticket costs 9.00 euro now.'],
  ['The ticket is 9.50 euro.', 'A ticket costs 9.5 euro now.'],
  ['The meeting is at 9:30.', 'The meeting is at 9.30 p.m.'],
  ['The meeting is at 9.30.', 'The meeting is at 9:30.'],
  ['The meeting is on 3 May.', 'The meeting is on 3.5.2026, in May.'],
  ['The meeting is on 9 March 2026.', 'Meeting: 2026-03-09.'],
  ['The meeting is in March.', 'Meeting: 9.3.2026.'],
  ['The meeting is on March 9th.', 'The meeting is on 9 March.'],
  ['The meeting is on 9 March.', 'The meeting is on the 9th of March.'],
  ['The meeting is at 5 PM.', 'The meeting is at 5pm.'],
  ['It needs version 1.2 of the parser.', 'The parser has to be version 1.2.3 at least.'],
])('%s is supported by: %s', (text, value) => {
  expect(isSaid(text, value, 'What about the ticket, the meeting, the version?')).toBe(true);
});

it('marks of the model’s own are taken out', () => {
  expect(withoutMarks('The rent [1] is 940 euro [2, 3].')).toBe('The rent is 940 euro.');
  expect(withoutMarks('The rent is 940 euro. [1][2]')).toBe('The rent is 940 euro.');
  expect(withoutMarks('[1] The rent is 940 euro【2†source】 .')).toBe('The rent is 940 euro.');
  expect(withoutMarks('The rent is 940 euro[1] [note 2] [Notes 1-3]!')).toBe('The rent is 940 euro!');
});

it('marks name notes, also from one to another', () => {
  expect(marksIn('So it is [1, 4]. [note 7][9–11] And 【2†source】.')).toEqual([1, 4, 7, 9, 10, 11, 2]);
  expect(marksIn('So it is [3-1], [1-999999999].').length).toBeLessThan(50);
});

it('an index of a list that a note has is no mark', () => {
  const from = [answering({ key: 'api', value: 'The token is in args[0] of the call.' })];
  expect(withoutMarks('It is in args[0] of the call [1].', from)).toBe('It is in args[0] of the call.');
});

it.each(['Marco', 'Paolo'])('%s is somebody, and no month', (name) => {
  const note = 'The appointment is on 3 March at the tax office.';
  expect(
    isSaid(`The appointment is with ${name} at the tax office.`, note, 'Where is the appointment?'),
  ).toBe(false);
});
