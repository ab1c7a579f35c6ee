import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as contract from '@reverie/shared/contract/memories/memories';
import * as searchContract from '@reverie/shared/contract/search/search';
import { startTestDaemon, type TestDaemon } from '../../../testing.ts';

/** Notes in letters that a reader knows in another form, each with queries that find it first and not weaker. */
const NOTES: readonly (readonly [value: string, ...queries: string[]])[] = [
  ['مِفْتَاحُ المَخْزَنِ فِي دُرْجِ الاِسْتِقْبَالِ', 'مفتاح المخزن', '"مفتاح المخزن"'],
  ['كتاب الوصفات على الرف', 'كِتَابُ الوَصْفَاتِ'],
  ['המַפְתֵּחַ נמצא בַּמְּגֵרָה', 'המפתח', '"במגרה"'],
  ['المدرســـة مغلقة', 'المدرسة', 'المدرسه'],
  ['کتابخانه در خیابان نزدیک است', 'كتابخانه', 'نزدیک', '"خيابان"'],
  ['می‌خواهم نان بخرم', 'میخواهم'],
  ['رقم الغرفة ٤٢٧١', '4271'],
  ['Søren keeps the ladder.', 'soren', 'Soeren', '"soren keeps"'],
  ['Đorđe paints the fence.', 'dorde', 'DORDE'],
  ['Þórður á lykilinn', 'thordur'],
  ['Kraków i Łódź w maju', 'lodz', 'Lódz'],
  ['Ærøskøbing has a ferry', 'aeroskobing'],
  ['La sœur de Luc habite Caen', 'soeur', '"la soeur"'],
  ['Diyarbakır’da ısıtıcı bozuk', 'diyarbakir', 'isitici'],
  ['Cường họp với Đặng'.normalize('NFD'), 'dang', '"hop voi dang"'],
  ['Nguyễn Đức Thắng sends the parcel', 'nguyen duc thang'],
  ['Η αποθήκη είναι στην οδό Ερμού, ΚΛΕΙΔΙ ΑΠΟ ΤΟΝ ΓΙΩΡΓΟΣ', 'αποθηκη', 'γιώργος', 'κλειδι'],
  ['Ёлка стоит в углу', 'елка', '"елка стоит"'],
  ['Gesamt\u00adkonzept liegt bei Anna.', 'Gesamtkonzept', '"Gesamtkonzept liegt"'],
  ['The super\u200bcalendar is ﬁnal', 'supercalendar', 'final'],
  ['Größe der Mühle: 12 m', 'groesse', 'muehle', 'Grösse', '"groesse der muehle"'],
  ['Die Straße zum Lager ist gesperrt', 'strasse', '"strasse"', '"STRASSE zum"'],
  ['Frau Mueller verleiht die Leiter', 'Müller', '"Müller"'],
  ['ｶﾞﾗｽ を注文', 'ガラス', '"ガラス"'],
  ['회의는 오후 세 시'.normalize('NFD'), '회의', '"오후 세"'],
  ['Ｒｏｏｍ １０４２ is free, Chapter Ⅻ', 'room 1042', 'xii'],
  ['오늘 오후에 창고 열쇠를 새로 만들었다.', '"창고 열쇠"', '창고 열쇠'],
  ['TypeScriptの型を確認する', '"TypeScriptの型"', '"の型"'],
  ['倉庫の鍵は引き出し', '"倉庫の鍵"'],
  [
    'Phone of the plumber: +49 170 555 0199',
    '+491705550199',
    '0170 5550199',
    '0170/555-01-99',
    '0049 170 5550199',
  ],
  ['Dentist 030 / 9012 7788', '+49 30 90127788', '03090127788'],
  ['Office (415) 555-0132', '4155550132', '+1 415 555 0132'],
  ['1,000,000 rows in the table', '1000000', '1.000.000', '1 000 000'],
  ['The flat costs 345.500 euros', '345500', '345,500'],
  ['Invoice 77412 is open', '77,412'],
  ['Maman : 06 12 34 56 78', '+33612345678', '0612345678'],
  ['49 151 555 0123 is Ola', '0151 5550123', '+491515550123'],
  ['Net 192.168.100.200/24 is the lab', '192.168.100.200'],
  ['Fixed in 9fceb02d0ae598e95dc970b74767f19372d61af8', '9fceb02', '9fceb02d0ae5', '9FCEB02'],
  ['See ab12cd3 for the cause', 'ab12cd3ef0ae598e95dc970b74767f19372d61af'],
];

/** A note, a query that would find it, and the same with a word that it has left out. */
const LEFT_OUT: readonly (readonly [value: string, query: string, word: string])[] = [
  ['오늘 오후에 창고 자물쇠를 바꾸었다.', '자물쇠', '창고'],
  ['गोदाम की चाबी स्वागत कक्ष में', 'चाबी', 'गोदाम'],
  ['กุญแจห้องเก็บของอยู่ในลิ้นชัก', 'กุญแจ', 'ลิ้นชัก'],
  ['Retro went great 🎉🚢', '🎉', '🚢'],
  ['Flag 🇩🇪 in the hall', 'hall', '🇩🇪'],
  ['冷蔵庫の電池を買う', '電池', '冷蔵庫'],
  ['مِطْرَقَةُ الحَدِيقَةِ', 'مطرقة', 'الحديقة'],
  ['Der Fußball liegt im Flur', 'Flur', 'fussball'],
  ['Die Kürbisse sind im Keller', 'Keller', 'kuerbisse'],
  ['Une cafetière neuve', 'neuve', 'cafetie\u0300re'],
];

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon();
  const values = [...NOTES, ...LEFT_OUT].map(([value]) => value);
  for (const [at, value] of values.entries())
    await daemon.call(contract.setMemory, { body: { key: `note ${at}`, value, metadata: {} } });
});
afterAll(() => daemon.stop());

const search = async (query: string) =>
  (await daemon.call(searchContract.searchMemories, { body: { query, limit: 5 } })).results;

describe('letters that are the same to a reader', () => {
  test.each(NOTES.flatMap(([value, ...queries]) => queries.map((query) => [value, query] as const)))(
    '%s is found by %s',
    async (value, query) => {
      const [hit] = await search(query);
      expect(hit).toMatchObject({ value });
      expect(hit).not.toHaveProperty('weaker');
    },
  );

  test.each(LEFT_OUT)('%s is found by %s, and not without %s', async (value, query, word) => {
    const values = async (asked: string) => (await search(asked)).map((hit) => hit.value);
    expect(await values(query)).toContain(value);
    expect(await values(`${query} -${word}`)).not.toContain(value);
  });

  test.each([
    ['tag:café', 2],
    ['tag:cafe\u0301', 2],
    ['tag:CAFE tag:ops', 1],
    ['tag:upper', 1],
    ['tag:"to do"', 1],
    ['tag:straße', 1],
    ['tag:caf', 0],
  ])('%s is on so many notes: %i', async (query, count) => {
    const tagged = [['Café', 'Ops'], ['cafe\u0301'], ['UPPER'], ['To Do', 'STRASSE']];
    for (const [at, tags] of tagged.entries())
      await daemon.call(contract.setMemory, {
        body: { key: `tag ${at}`, value: 'Tagged', metadata: { tags } },
      });
    const { total } = await daemon.call(contract.listMemories, { body: { query } });
    expect(total).toBe(count);
  });

  test('an English word is not read as one with ü', async () => {
    await daemon.call(contract.setMemory, { body: { key: 'a', value: 'The Blü band plays', metadata: {} } });
    await daemon.call(contract.setMemory, { body: { key: 'b', value: 'The blue band plays', metadata: {} } });
    expect((await search('"blu"')).map(({ key }) => key)).toEqual(['a']);
    expect((await search('blue'))[0]).toMatchObject({ key: 'b' });
  });
});
