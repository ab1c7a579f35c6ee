import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sentencesOf } from './sentences.ts';

const texts = (text: string, longest?: number) => sentencesOf(text, longest).map((sentence) => sentence.text);

describe('sentences', () => {
  it('end at full stops, question marks and lines', () => {
    expect(texts('We moved. Did Anna come?  Yes!\n- milk\n- bread')).toEqual([
      'We moved.',
      'Did Anna come?',
      'Yes!',
      '- milk',
      '- bread',
    ]);
  });

  it('end behind every sign that ends one for ICU', () => {
    const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });
    const signs = Array.from({ length: 0x1ffff }, (_, code) => code)
      .filter((code) => code < 0xd800 || code > 0xdfff)
      .map((code) => String.fromCodePoint(code))
      .filter((sign) => !/[\r\n\p{L}]/u.test(sign));
    const differing = signs.filter((sign) => {
      const line = `That is it${sign} Then another`;
      return texts(line).length > 1 !== [...segmenter.segment(line)].length > 1;
    });
    expect(differing).toEqual([]);
  });

  it('do not end at titles, initials, versions and abbreviations', () => {
    expect(texts('Dr. Okafor saw J. Lindqvist, e.g. about v1.2.3 of the plan. It rained.')).toEqual([
      'Dr. Okafor saw J. Lindqvist, e.g. about v1.2.3 of the plan.',
      'It rained.',
    ]);
  });

  // A bar is the border.
  it.each([
    'We moved to building 7. | Appendix B has the plan.',
    'Version 2. | It is faster.',
    'Room 12. | Bring a coat.',
    'The code is 4711. | Ring twice.',
    'We have 3. | They have 5.',
    'J. R. R. Tolkien wrote it. | I read it.',
    'Anna and I. | Nobody else.',
    'It was in 1998. | Then we left.',
    '1. Wash the car. | 2. Feed the cat.',
    'Am 3. Mai ziehen wir um. | Danach ist Urlaub.',
    'Der 2. Weltkrieg endete. | Gut.',
    'Lenas 8. Geburtstag ist am 4. Oktober. | Sie freut sich.',
    'The meeting is on 3. 5. 2026. | Come.',
    'Tel. 555 01 20. | Bitte anrufen.',
    'No. 5 is alive. | Is that so? | No. | I was wrong.',
    'Milk, eggs, etc. | Then home.',
    'Milk, eggs etc. and bread.',
    'Meet at 5 p.m. on Monday. | Meet at 9 a.m. Monday. | Bring Anna.',
    'He said “Stop!” and left. | “Really?” she asked.',
    'He said "Stop." | Then he left.',
    'Ich wohne z. B. in Wien. | Das ist d.h. weiß.',
    'M. Dupont est là. | Mme. Roche aussi.',
    'Lt. Gen. Roe saw Mt. Everest. | We left.',
    'On Jan. 5 we left. | On Sept. 3 we came back.',
    'Fig. 3 shows it. | He is 1.85 m. | It costs 3.50 euro.',
    'See src/app.ts. | Open https://a.example/x.html. | Mail a.b@c.example. | Use 10.0.0.1.',
    'v1.2.3 is out. | Set foo.bar=1. | Restart.',
    'She waited... | Then she left.',
    '**Note.** | We moved. | It works.[2] | We left. | Great!🎉 | Home.',
    'we moved to rome. | the rent is 900 euro. | anna pays it, e.g. by card.',
    'it took approx. five hours. | then we left',
    'Thanks to Anna! | She saved us.',
    'Am 15. Lena besuchen. | Ab 1.1. Miete erhöhen. | Gut.',
    'He moved to the U.S. | Then he came back. | He likes Washington D.C. | It is warm.',
    'Compra fruta, p. ej. Manzanas de Lérida. | Gracias.',
    'Wir brauchen u. a. Milch, d. h. Anna geht. | Gut.',
    'Come at 5 p.m. Monday. | We closed at 5 p.m. | Then we left.',
  ])('%s', (marked) => {
    expect(texts(marked.replaceAll(' | ', ' '))).toEqual(marked.split(' | '));
  });

  it.each([
    '我们搬家了。|房租是一千元。|好吗？|好！',
    'これは「テスト。」です。|犬はいません。',
    '他说：“来吧。”|然后走了。',
  ])('%s', (marked) => {
    expect(texts(marked.replaceAll('|', ''))).toEqual(marked.split('|'));
  });

  it('are cut at a blank where they are too long', () => {
    expect(texts('one two three four five', 10)).toEqual(['one two', 'three', 'four five']);
  });

  it('stand where they say, in order, and miss nothing but white space', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 200 }),
        fc.integer({ min: 5, max: 50 }),
        (text, longest) => {
          let last = 0;
          let kept = '';
          for (const { text: sentence, start, end } of sentencesOf(text, longest)) {
            expect(start).toBeGreaterThanOrEqual(last);
            expect(text.slice(start, end)).toBe(sentence);
            kept += sentence;
            last = end;
          }
          expect(kept.replace(/\s/gu, '')).toBe(text.replace(/\s/gu, ''));
        },
      ),
    );
  });
});
