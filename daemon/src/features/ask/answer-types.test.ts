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

  it.each<{ type: AnswerType; text: string; said: string; found: boolean }>([
    { type: 'money', text: 'They charge 95 euro.', said: 'cost?', found: true },
    { type: 'money', text: 'Parking is 120 a year.', said: 'cost?', found: true },
    { type: 'money', text: 'It was 2:04:51.', said: 'cost?', found: false },
    { type: 'date', text: 'The party is on 9 March.', said: 'when?', found: true },
    { type: 'date', text: 'The party of 9 March was nice.', said: 'What was on 9 March?', found: false },
    { type: 'person', text: 'She talked to Uhlig.', said: 'who?', found: true },
    { type: 'person', text: 'It begins in August.', said: 'who?', found: false },
    { type: 'person', text: 'My friend Tobias Renk climbs.', said: 'Who is with Tobias?', found: false },
    { type: 'place', text: 'She lives in Rotterdam.', said: 'where?', found: true },
    { type: 'place', text: 'It begins in August.', said: 'where?', found: false },
    { type: 'phone', text: 'Call 0341 555 0199.', said: 'phone?', found: true },
    { type: 'version', text: 'It runs PostgreSQL 17.2.', said: 'version?', found: true },
  ])('$type in “$text” for “$said”: $found', ({ type, text, said, found }) => {
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
