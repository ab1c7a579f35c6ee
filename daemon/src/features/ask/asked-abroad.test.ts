import { askMemory } from '@reverie/shared/contract/ask';
import { storeBatch } from '@reverie/shared/contract/memories';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readAbroad } from '../../language/abroad.ts';
import { startTestDaemon, type TestDaemon } from '../../testing.ts';

const NOTES: Readonly<Record<string, string>> = {
  home: 'Anna lives in Graz with her two dogs.',
  sold: 'Olga sold the house of her parents in Graz.',
  left: 'Veerle does not live in Delft any more.',
  mother: "Pia's mother lives in Trieste.",
  move: 'Met Pavel at the fair. He moved to Brno last spring.',
  work: 'Ilse works at the university library.',
  seek: 'Piet is looking for work again.',
  born: 'Carlo was born on 19 August 1971.',
  crib: 'Berthe gave us the crib, our baby was born on 2 March.',
  phone: 'Rosalind: mobile 0170 555 1234, birthday 3/9.',
  broken: "Lola's phone is broken.",
  allergy: 'Ines cannot eat strawberries.',
  ate: 'Fabrice ate all the strawberries.',
  dish: 'Georg told me that his favourite dish is gnocchi.',
  cat: "Eloise's cat is called Pixel.",
  car: "Zoe's car is a grey Toyota.",
  repair: 'Octavio repaired a grey Toyota.',
  doctor: "Yannick's brother is a doctor in Bern.",
  marie: 'Marie and her husband Jan have a dentist in Nantes.',
  router: 'The password of the router Falcon is tulip-99.',
  hall: 'The router Osprey stands in the hall.',
  vincent: 'Vincent wohnt in Lübeck, dritter Stock.',
  mine: 'My address is 5 Elm Road.',
  insured: "Jutta's auto insurance is with Allianz since 2021.",
  landlord: "Zora's landlord works at Siemens.",
  feline: "Rosa's cat is allergic to fish.",
  town: 'Nora visited Bern, where Otto lives.',
  wish: 'Vito wants to live in Oslo.',
};

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon();
  const items = Object.entries(NOTES).map(([key, value]) => ({ key, value }));
  await daemon.call(storeBatch, { body: { items } });
});
afterAll(() => daemon.stop());

test.each([
  ['Wo wohnt Anna?', 'home'],
  ['WO WOHNT ANNA?', 'home'],
  ['Où habite Anna ?', 'home'],
  ['Wo wohnt Pavel?', 'move'],
  ['Waar werkt Ilse?', 'work'],
  ['Quando è nato Carlo?', 'born'],
  ['¿Cuál es el número de teléfono de Rosalind?', 'phone'],
  ['Wann hat Rosalind Geburtstag?', 'phone'],
  ['A cosa è allergica Ines?', 'allergy'],
  ['Quel est le plat préféré de Georg ?', 'dish'],
  ['Wie heißt Eloises Katze?', 'cat'],
  ['¿Qué coche tiene Zoe?', 'car'],
  ['Wie lautet das Passwort für den Router Falcon?', 'router'],
  ['Wie ist meine Adresse?', 'mine'],
  ['Wo wohnt Otto?', 'town'],
  // An auto is a car in English, too, but this is no question for a car.
  ["Is Jutta's auto insurance with Allianz?", 'insured'],
  // In the language of the question the signs decide, as for English ones.
  ['Wo wohnt Vincent?', 'vincent'],
])('%s is answered by a note that says so in English', async (question, key) => {
  const { found, citations } = await daemon.call(askMemory, { body: { question } });
  expect([found, citations[0]?.key, citations[0]?.value]).toEqual([true, key, NOTES[key]]);
});

test.each([
  'Wo wohnt Olga?',
  'Waar woont Veerle?',
  'Dove abita Pia?',
  'Wo arbeitet Piet?',
  'Quand est née Berthe ?',
  '¿Cuál es el número de teléfono de Lola?',
  'À quoi Fabrice est-il allergique ?',
  'Was ist Georgs Lieblingsbuch?',
  '¿Qué coche tiene Octavio?',
  'Wer ist Yannicks Arzt?',
  'Wie lautet das Passwort für den Router Osprey?',
  'Onde trabalha o Carlo?',
  'Wo arbeitet Zora?',
  'Wogegen ist Rosa allergisch?',
  'Wo wohnt Nora?',
  'Wo wohnt Vito?',
])('%s is answered by no note that only has the name', async (question) => {
  const { found, answer, citations } = await daemon.call(askMemory, { body: { question } });
  expect([found, citations]).toEqual([false, []]);
  expect(answer).toMatch(/^Nothing in memory answers this\. It mentions “/);
});

test('a question is read as asked for one attribute of what it names, or not at all', () => {
  const read = (text: string) => {
    const found = readAbroad(text);
    return found && [found.asked.english, found.names.join(' '), found.things.length];
  };
  expect(read('Wo wohnt Marie jetzt?')).toEqual(['where live lives', 'Marie', 0]);
  expect(read("Quand est l'anniversaire d'Oscar ?")).toEqual(['when birthday', 'Oscar', 0]);
  expect(read('Comment s’appelle le médecin de Simon ?')).toEqual(['doctor', 'Simon', 0]);
  expect(read('Wo wohnt Toms Schwester?')).toEqual(['where live lives', 'Toms', 1]);
  expect(read('What is the email of Auto Marie?')).toBeUndefined();
  expect(read('Is Ines allergic to nuts?')).toBeUndefined();
  expect(read('Can I mail Anna?')).toBeUndefined();
  expect(read('Wo wohnt und arbeitet Anna?')).toBeUndefined();
  expect(read('Was kostet der Wagen?')?.[1]).toBe('kostet');
  expect(read('Wie lange kocht der Reis?')).toBeUndefined();
});
