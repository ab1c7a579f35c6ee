import { describe, expect, it } from 'vitest';
import { seconds } from '@reverie/shared/testing/patience';
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
  it.each([
    ['colons', ':'.repeat(size)],
    ['colons and blanks', 'a: '.repeat(size / 3)],
    ['blanks', `a${' '.repeat(size)}`],
    ['lines', 'a: b\n'.repeat(size / 5)],
    ['rows', `| a | b |\n|-|-|\n${'| a | b |\n'.repeat(100_000)}`],
    ['tables', '| a | b |\n|-|-|\n| a | b |\n\n'.repeat(20_000)],
    ['marks', '**'.repeat(size / 2)],
    ['headings', `# ${'x'.repeat(size)}`],
    ['front matter', `---\n${'a: &a [*a]\n'.repeat(20_000)}---\n`],
    ['front matter without an end', `---\n${'a: b\n'.repeat(200_000)}`],
    ['quotes', '> '.repeat(size / 2)],
    ['items in items', Array.from({ length: 1000 }, (_, at) => `${' '.repeat(2 * at)}- a: b\n`).join('')],
  ])('of %s is read in a moment, for a bounded number of facts', (_, text) => {
    const from = process.cpuUsage();
    const facts = structuredFacts(text);
    expect(facts.length).toBeLessThanOrEqual(300);
    expect(JSON.stringify(facts).length).toBeLessThan(size);
    expect(process.cpuUsage(from).user).toBeLessThan(seconds(0.2) * 1000);
  });
});
