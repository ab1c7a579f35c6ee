import { describe, expect, it } from 'vitest';
import { expectLinear } from '@reverie/shared/testing/linear';
import { structuredFacts } from './structured-facts.ts';

/** Facts in short: `Router > Hall | IP = 10.0.0.1`. */
const factsIn = (text: string) =>
  structuredFacts(text).map(
    ({ path, label, value }) => `${path.length > 0 ? `${path.join(' > ')} | ` : ''}${label} = ${value}`,
  );

describe('the structure of a note', () => {
  it('has properties of front matter, as they are written', () => {
    const text =
      '---\ntitle: "The cabin"\nversion: 1.10 # beta\ntags: [home, lake]\nowners:\n  - Anna\n  - Bruno\nnested:\n  a: 1\nempty:\nnote: |\n  two\n  lines\n---\nText.\n';
    expect(factsIn(text)).toEqual([
      'title = The cabin',
      'version = 1.10',
      'tags = home, lake',
      'owners = Anna, Bruno',
    ]);
    expect(structuredFacts(text).at(-1)).toEqual({
      path: [],
      label: 'owners',
      value: 'Anna, Bruno',
      quote: 'owners:\n  - Anna\n  - Bruno',
      from: 'property',
    });
  });

  it('has the properties that can be read of damaged front matter', () => {
    expect(factsIn('---\na: 1\nb: [\nc: 3\n---\n')).toEqual(['a = 1', 'c = 3']);
  });

  it('has cells below their headings, beside the first cell of their row', () => {
    const text =
      '# Birthdays\n\n## Family\n\n| Name | Born | **Gift** |\n|---|---|---|\n| *Leni* | 9 May 2018 | a kite |\n| Emil | - | |\n';
    expect(structuredFacts(text)).toEqual([
      {
        path: ['Birthdays', 'Family', 'Leni'],
        label: 'Born',
        value: '9 May 2018',
        quote: '| *Leni* | 9 May 2018 | a kite |',
        from: 'table',
      },
      {
        path: ['Birthdays', 'Family', 'Leni'],
        label: 'Gift',
        value: 'a kite',
        quote: '| *Leni* | 9 May 2018 | a kite |',
        from: 'table',
      },
    ]);
    expect(factsIn('Ports:\n\n| | |\n|-|-|\n| daemon | 7437 |\n')).toEqual(['Ports | daemon = 7437']);
    expect(factsIn('| | Mon | Tue |\n|-|-|-|\n| Gym | 7:00 | |\n')).toEqual(['Gym | Mon = 7:00']);
  });

  it('has lines below their headings, items and the line that leads to them, each word for word', () => {
    const text =
      '# Flat\nRent: 940 EUR\n\n## Router\n- **IP:** 10.0.0.1\n- __Login__: `admin`\n- [x] Bought: 2021\n- Guests\n  - Name: visitors\n\nMeter:\n- No: 4711\n\n> Landlord: Ms Okafor\n';
    expect(factsIn(text)).toEqual([
      'Flat | Rent = 940 EUR',
      'Flat > Router | IP = 10.0.0.1',
      'Flat > Router | Login = admin',
      'Flat > Router | Bought = 2021',
      'Flat > Router > Guests | Name = visitors',
      'Flat > Router > Meter | No = 4711',
      'Flat > Router | Landlord = Ms Okafor',
    ]);
    for (const { quote } of structuredFacts(text)) expect(text).toContain(quote);
    expect(structuredFacts(text)[1]?.quote).toBe('**IP:** 10.0.0.1');
  });

  it('is read in texts without Markdown, and in other scripts', () => {
    expect(factsIn('Wi-Fi of the cabin\r\nName: Seehaus\r\nPassword: kx72-lake\r\n')).toEqual([
      'Name = Seehaus',
      'Password = kx72-lake',
    ]);
    expect(factsIn('Anschrift: Hauptstraße 5, 8001 Zürich\n\nTéléphone : 01 23 45')).toEqual([
      'Anschrift = Hauptstraße 5, 8001 Zürich',
      'Téléphone = 01 23 45',
    ]);
    expect(factsIn('電話\uff1a03-1234')).toEqual(['電話 = 03-1234']);
  });

  it.each([
    ['prose', 'Remember: we have to call the landlord about the heating before winter.'],
    ['several sentences', 'Note: it leaks. Call Bruno.'],
    ['a line that an editor broke', `Plan: ${'take the early train and '.repeat(3)}\nwalk from there`],
    [
      'what such a line goes on with',
      `${'we took the early train and then '.repeat(2)}\nport: 8080 was busy`,
    ],
    ['a label as long as a sentence', 'What we all said about it yesterday: nothing'],
    ['who speaks', 'Anna: Are you coming over on Friday evening?\nAnna: good'],
    ['times and addresses', '12:30 lunch\nhttps://example.org/a: b'],
    ['code', '```yaml\nport: 80\n```\n\n    user: root\n'],
    ['lines of code', '# A\nconst port: number;\ncolor: red;\n"name": "x",\nif (a): {'],
    ['formulas', '$$\nf: x \\to y\n$$\n\nLet: $$x$$\nMap: \\(a\\)'],
    ['templates', '# T\nName: {{name}}\nMail: <your mail>\nKey: ${KEY}\n| A | B |\n|-|-|\n| {{a}} | {{b}} |'],
    ['empty values and dashes', '# T\nName:\nMail: -\nAge: ?'],
    ['heads of tables', '| Key: a | Value: b |\n|-|-|\n'],
    ['a heading', '# Port: 80\n'],
  ])('has no fact of %s', (_, text) => {
    expect(factsIn(text)).toEqual([]);
  });
});

describe('hostile text', () => {
  const size = 1024 * 1024;
  const many = (piece: string) => (length: number) => piece.repeat(length / piece.length);
  it.each([
    ['colons', many(':')],
    ['colons and blanks', many('a: ')],
    ['blanks', (length: number) => `a${' '.repeat(length)}`],
    ['lines', many('a: b\n')],
    ['rows', (length: number) => `| a | b |\n|-|-|\n${many('| a | b |\n')(length)}`],
    ['tables', many('| a | b |\n|-|-|\n| a | b |\n\n')],
    ['marks', many('**')],
    ['headings', (length: number) => `# ${'x'.repeat(length)}`],
    ['front matter', (length: number) => `---\n${many('a: &a [*a]\n')(length)}---\n`],
    ['front matter without an end', (length: number) => `---\n${many('a: b\n')(length)}`],
    ['quotes', many('> ')],
    [
      'items in items',
      (length: number) =>
        Array.from({ length: Math.sqrt(length) }, (_, at) => `${' '.repeat(2 * at)}- a: b\n`).join(''),
    ],
  ])('of %s is read in time by its length, for a bounded number of facts', (_, text) =>
    expectLinear((length) => {
      const facts = structuredFacts(text(length));
      expect(facts.length).toBeLessThanOrEqual(300);
      expect(JSON.stringify(facts).length).toBeLessThan(size);
    }, size),
  );
});
