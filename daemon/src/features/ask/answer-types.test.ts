import { describe, expect, it } from 'vitest';
import { type AnswerType, counts, expectedTypes, tells } from './answer-types.ts';

describe('what an answer has to have', () => {
  it.each<[string, readonly AnswerType[]]>([
    ['How much does the dentist charge?', ['money']],
    ['What does the cleaning cost?', ['money']],
    ['When is the party?', ['date', 'time']],
    ['Which herb should I leave out when cooking?', []],
    ['How many trailers are connected?', ['number']],
    ['Who teaches Noah?', ['person']],
    ['Where does Clara live?', ['place']],
    ['Why was the code changed?', ['reason']],
    ["What is Nuno's phone number?", ['phone']],
    ['Which phone do I own?', []],
    ['Which version of buf do we need?', ['version']],
    ['What colour is the sofa?', ['colour']],
    ['Wann ist die Feier?', ['date', 'time']],
    ['¿Dónde vive Clara?', ['place']],
    ['生日是哪一天？', ['date', 'time']],
  ])('%s', (question, types) => {
    expect(expectedTypes(question)).toEqual(types);
  });

  it.each<[AnswerType, string, string, boolean]>([
    ['money', 'They charge 95 euro.', 'cost?', true],
    ['money', 'Parking is 120 a year.', 'cost?', true],
    ['money', 'It was 2:04:51.', 'cost?', false],
    ['date', 'The party is on 9 March.', 'when?', true],
    ['date', 'The party of 9 March was nice.', 'What was on 9 March?', false],
    ['person', 'She talked to Uhlig.', 'who?', true],
    ['person', 'It begins in August.', 'who?', false],
    ['person', 'My friend Tobias Renk climbs.', 'Who is with Tobias?', false],
    ['place', 'She lives in Rotterdam.', 'where?', true],
    ['place', 'It begins in August.', 'where?', false],
    ['phone', 'Call 0341 555 0199.', 'phone?', true],
    ['version', 'It runs PostgreSQL 17.2.', 'version?', true],
  ])('%s in “%s” for “%s”: %s', (type, text, said, found) => {
    expect(tells(type, text, said)).toBe(found);
  });

  it('a figure counts what stands beside it', () => {
    const isTrailer = (word: string) => word.startsWith('trailer');
    expect(counts('4,180 trailers connected, 61 customers', isTrailer)).toBe(true);
    expect(counts('four of the new trailers', isTrailer)).toBe(false);
    expect(counts('Trailers: 61', isTrailer)).toBe(true);
    expect(counts('The trailers came on the evening of 9 March.', isTrailer)).toBe(false);
  });
});
