import { describe, expect, it } from 'vitest';
import type { AnswerType } from '../../../language/value-shapes.ts';
import { counts, expectedTypes, tellsOf } from './answer-types.ts';

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
    ['How old is Noah?', ['age', 'number']],
    ['How much does Noah weigh?', ['weight']],
    ['How often does the bus go?', ['frequency', 'number']],
    ['How long does a lesson last?', ['duration']],
    ['How fast did Daniel run?', ['speed']],
    ['In which year did Papa start?', ['year']],
    ["How high was the firm's profit?", ['money']],
    ['What salary did Nadia ask for?', ['money']],
    ['Which shop sold the sofa?', ['name']],
    ['What was the commit that fixed it?', ['commit']],
    ['By when must I answer?', ['date', 'time']],
    ['By how much was the dose raised?', ['number', 'percentage', 'money']],
    ['Which time zone is the team in?', []],
    ['What triggers "cost is NaN"?', []],
    ["What is Mehmet's surname?", ['name']],
    ['start date of the engineer', ['date', 'time']],
    ['vet bill Biscuit', ['money']],
    ['number of students in the course', ['number']],
    ['address of the watchmaker', ['place']],
    ['The price of the flat and of the heating keeps us here', []],
  ])('%s', (question, types) => {
    expect(expectedTypes(question)).toEqual(types);
  });

  it.each<{ type: AnswerType; text: string; said: string; found: boolean }>([
    { type: 'money', text: 'They charge 95 euro.', said: 'cost?', found: true },
    { type: 'money', text: 'Parking is 120 a year.', said: 'cost?', found: true },
    { type: 'money', text: 'The filling was 1,080 kroner.', said: 'cost?', found: true },
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
    // Words inside others, and words of many meanings.
    { type: 'time', text: 'Felipe has done 14 of 43 koans.', said: 'when?', found: false },
    { type: 'time', text: 'Glazier estimates 5,200 for all nine panes', said: 'when?', found: false },
    { type: 'time', text: 'The course starts at five.', said: 'when?', found: true },
    { type: 'date', text: 'Rent may only go up by 5 percent.', said: 'when?', found: false },
    { type: 'date', text: 'It was in May.', said: 'when?', found: true },
    { type: 'place', text: 'Anneke signs in his place.', said: 'where?', found: false },
    { type: 'place', text: 'It begins in the summer.', said: 'where?', found: false },
    { type: 'place', text: 'The key is in the drawer.', said: 'where?', found: true },
    { type: 'place', text: 'It concerns the Denver team in Denver.', said: 'Where is Denver?', found: false },
    { type: 'name', text: 'Two of the five are colour-blind.', said: 'names?', found: false },
    { type: 'name', text: 'It is on branch mz/hourly-avg.', said: 'Which branch is hourly?', found: true },
    { type: 'person', text: 'They moved to the Diakonissen clinic.', said: 'who?', found: false },
    { type: 'person', text: 'Pim replaced the gasket.', said: 'who?', found: true },
    { type: 'person', text: 'Our plumber replaced it.', said: 'who?', found: true },
    { type: 'weight', text: 'Noah is 1.31 m tall.', said: 'weight?', found: false },
    { type: 'weight', text: 'Noah has 31 kg.', said: 'weight?', found: true },
    { type: 'duration', text: 'It starts on 4 September at five.', said: 'how long?', found: false },
    { type: 'duration', text: 'It takes half an hour.', said: 'how long?', found: true },
    { type: 'age', text: 'Noah turned seven.', said: 'how old?', found: true },
    { type: 'age', text: 'A hundred zebras.', said: 'how old?', found: false },
    { type: 'reason', text: 'Ownerless since Igor quit.', said: 'Why did Igor quit?', found: false },
    { type: 'reason', text: 'Igor quit because the pay was bad.', said: 'Why did Igor quit?', found: true },
    { type: 'number', text: 'All vaccinated on 12 April.', said: 'how many?', found: false },
  ])('$type in “$text” for “$said”: $found', ({ type, text, said, found }) => {
    expect(tellsOf(type, text, said) > 0.5).toBe(found);
  });

  it('a figure counts what stands beside it', () => {
    const isTrailer = (word: string) => word.startsWith('trailer');
    expect(counts('4,180 trailers connected, 61 customers', isTrailer)).toBe(true);
    expect(counts('four of the new trailers', isTrailer)).toBe(false);
    expect(counts('Trailers: 61', isTrailer)).toBe(true);
    expect(counts('The trailers came on the evening of 9 March.', isTrailer)).toBe(false);
  });

  it.each([
    ['Bunk bed, ladder on the left, 1,080 with mattresses.', 0.5],
    ['He takes 72, three times.', 0.5],
    ['Two seizures in week 42, she weighs 4.6 kg.', 0],
    ['We bought it in March, 2021.', 0],
  ])('takes a figure that counts nothing for money, but hardly: %s', (text, sure) => {
    expect(tellsOf('money', text, 'cost?')).toBe(sure);
  });
});
