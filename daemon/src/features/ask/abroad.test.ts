import { askMemory } from '@reverie/shared/contract/search/ask';
import { setMemory, storeBatch } from '@reverie/shared/contract/memories/memories';
import { searchMemories } from '@reverie/shared/contract/search/search';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../../testing.ts';

const NOTES = {
  boiler: 'Die Heizung wird am 14. März um 9 Uhr 30 gewartet, der Techniker heißt Brenner.',
  bread: 'Le pain au levain reste 45 minutes dans la cocotte, à 240 degrés.',
  key: "Spare key is no longer under the flowerpot; it's with Marjorie at number 9.",
  rent: 'El alquiler sube a 1.200 € al mes desde enero.',
  dentist: 'Dentista: Sofia ha appuntamento mercoledì alle 16.',
  bike: 'De fiets staat bij de fietsenmaker, hij is vrijdag klaar en kost 85 euro.',
};

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon();
  const items = Object.entries(NOTES).map(([key, value]) => ({ key, value }));
  await daemon.call(storeBatch, { body: { items } });
});
afterAll(() => daemon.stop());

test.each([
  ['When is the heating serviced?', 'boiler'],
  ['Quand passe le technicien du chauffage ?', 'boiler'],
  ['How long does the sourdough bread bake?', 'bread'],
  ['Wie lange backt das Brot?', 'bread'],
  ['¿Dónde está la llave de repuesto?', 'key'],
  ['Wo ist der Ersatzschlüssel?', 'key'],
  ['How much is the rent?', 'rent'],
  ['Quanto é o aluguel por mês?', 'rent'],
  ['Wann hat Sofia einen Termin beim Zahnarzt?', 'dentist'],
  ['When is the bicycle ready?', 'bike'],
] as const)('%s is found, and answered from its note in its own words', async (question, key) => {
  const { results } = await daemon.call(searchMemories, { body: { query: question } });
  expect(results[0]?.key).toBe(key);
  const { answer, citations } = await daemon.call(askMemory, { body: { question } });
  expect(citations[0]?.key).toBe(key);
  expect(answer).toContain(`"${NOTES[key]}"`);
});

test.each([
  ['Welche Farbe hat das Auto?', /^(?:Keine Notiz im Namensraum „default“ beantwortet das\.|Nicht sicher\.)/],
  [
    'De quelle couleur est la voiture ?',
    /^(?:Aucune note dans l’espace « default » ne répond à cela\.|Pas sûr\.)/,
  ],
  ['What colour is the car?', /^(?:Nothing in memory in the namespace “default” answers this\.|Not sure\.)/],
])('%s: the frame is in the language of the question', async (question, frame) => {
  const { answer } = await daemon.call(askMemory, { body: { question } });
  expect(answer).toMatch(frame);
});

test('a note that changes its language changes what it is found by', async () => {
  await daemon.call(setMemory, { body: { key: 'note', value: 'Der Rasenmäher steht im Schuppen.' } });
  const where = async () =>
    (await daemon.call(searchMemories, { body: { query: 'lawn mower shed' } })).results[0]?.key;
  expect(await where()).toBe('note');
  await daemon.call(setMemory, { body: { key: 'note', value: 'Der Kuchen steht im Kühlschrank.' } });
  expect(await where()).not.toBe('note');
});

/** A note alone in its namespace, a question that it may answer, and one of which it has no word. */
const ALONE = [
  [
    'La compilación falló porque el archivo de bloqueo era antiguo.',
    '¿Por qué falló la compilación?',
    ['¿Quién es el alcalde?', '“alcalde”'],
  ],
  [
    'Der Schlüssel zum Lager liegt in der Schublade am Empfang.',
    'Wo ist der Schluessel zum Lager?',
    ['Wo schläft der Hund?', '“schläft”, “Hund”'],
  ],
  [
    'Frau Mueller wohnt in Kassel.',
    'Wo wohnt Frau Müller?',
    ['Wann blüht die große Linde?', '“blüht”, “große”, “Linde”'],
  ],
  [
    '창고 열쇠는 안내 데스크 서랍에 있다.',
    '창고 열쇠는 어디에 있나요?',
    ['점심은 언제 먹나요?', '“점심은”, “언제”, “먹나요”'],
  ],
  ['倉庫の鍵は受付の引き出しにある。', '倉庫の鍵はどこですか？', ['昼食は何時に食べますか？', '']],
  ['仓库钥匙在前台的抽屉里。', '仓库钥匙在哪里？', ['午饭几点吃？', '']],
  ['مفتاح المخزن في الدرج', 'أين مفتاح المَخْزَن؟', ['متى الغداء؟', '“متى”, “الغداء”']],
  [
    'Maria moved to Porto in March 2024 to work for a port wine company.',
    'Where does Maria live?',
    ['Who is the president of Peru?', '“president”, “Peru”'],
  ],
  [
    'Phone of the plumber: +49 170 555 0199',
    'Whose number is 0170 5550199?',
    ['Did the kayak sink?', '“kayak”, “sink”'],
  ],
] as const;

test.each(ALONE)(
  '%s is told of %s, and refused only what it has no word of',
  async (value, question, other) => {
    const namespace = `alone ${question}`.replaceAll(/[^\p{L}\p{N} ]/gu, '').trim();
    await daemon.call(setMemory, { body: { key: 'note', value, namespace } });
    const told = await daemon.call(askMemory, { body: { question, namespace } });
    expect(told.certainty).not.toBe('none');
    expect(told.citations[0]?.key).toBe('note');
    const [unrelated, words] = other;
    const refused = await daemon.call(askMemory, { body: { question: unrelated, namespace } });
    expect(refused.certainty).toBe('none');
    // Words that were asked, none of English and no pieces.
    expect(refused.answer.match(/(?:“[^“”]*”(?:, )?)+(?=\.$)/u)?.[0] ?? '').toBe(words);
  },
);
