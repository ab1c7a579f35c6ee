import { describe, expect, it } from 'vitest';
import { forecast } from './forecast.ts';
import { saying, type TestNote, viewOf } from './testing.ts';

const daysOf = (notes: readonly TestNote[]) =>
  forecast(viewOf(notes)).map(({ content }) => content.replace('due ', ''));

describe('what is due', () => {
  it.each([
    ['Passport expires on 14 March 2027.', '2027-03-14'],
    ['My passport expires in February 2027.', '2027-02'],
    ['Domain loom.example expires 2027-01-08, auto-renew is off.', '2027-01-08'],
    ['The tax return has to be in by 30 November.', '2026-11-30'],
    ['Partner API v1 is switched off on 31 January 2027.', '2027-01-31'],
    ['Dentist on 9 December at 8:20.', '2026-12-09'],
    ['Die Rechnung ist bis 15. Dezember 2026 zu zahlen.', '2026-12-15'],
    ["La carte d'identité expire le 8 janvier 2027.", '2027-01-08'],
    ['El carné caduca el 8 de enero de 2027.', '2027-01-08'],
    ['La patente scade il 8 gennaio 2027.', '2027-01-08'],
    ['Het rijbewijs verloopt op 8 januari 2027.', '2027-01-08'],
    ['O passaporte expira em 8 de janeiro de 2027.', '2027-01-08'],
    ['The lease:\n\n- [ ] renew the ID card 2026-12-05\n- [x] pay the deposit by 2026-12-06', '2026-12-05'],
    ['---\ntitle: Library card\nexpires: 2027-02-01\n---\nThe card of the branch in town.', '2027-02-01'],
    ['# Van\n\nInsurer: Kestrel\nRenewal date: 2027-01-31', '2027-01-31'],
    ['| Contract | Ends |\n| --- | --- |\n| Lease of the van | 31 March 2027 |', '2027-03-31'],
    ['{"credential":"parcels","expires":"2026-12-02"}', '2026-12-02'],
  ])('%s', (value, day) => {
    const view = viewOf([{ key: 'n', value, at: '2026-11-10' }]);
    const [one, ...more] = forecast(view);
    expect(one?.content).toBe(`due ${day}`);
    expect(more).toEqual([]);
    for (const { sentence } of one?.evidence ?? []) expect(value).toContain(sentence);
  });

  it('says it in the words of the note, and of what where they do not', () => {
    const titles = (value: string) =>
      forecast(viewOf([{ key: 'n', value, at: '2026-11-10' }])).map(({ title }) => title);
    expect(titles('The bins were late. Passport expires on 14 March 2027.')).toEqual([
      'Passport expires on 14 March 2027.',
    ]);
    expect(titles('- [ ] renew the ID card by 5 December 2026')).toEqual([
      'renew the ID card by 5 December 2026',
    ]);
    expect(titles('---\ntitle: Library card\nexpires: 2027-02-01\n---\nText of it.')).toEqual([
      'Library card: expires: 2027-02-01',
    ]);
  });

  it('comes up once where it is told twice', () => {
    expect(
      daysOf(saying('Passport of Ida expires on 14 March 2027.', 'Ida’s passport expires 14 March 2027!')),
    ).toEqual(['2027-03-14']);
  });
});

describe('what is not due', () => {
  it.each([
    // Spans, and what is past.
    'Sabbatical report due: covers January–March 2027.',
    'Sprint plan, valid from 3 January 2027 to 14 January 2027.',
    'The visa form was due on 14 November 2026.',
    'The report was due on 14 December 2026.',
    'The old passport expired on 3 March 2025.',
    'Until 2024 we lived in Graz.',
    // Years that nobody can tell, and days with two readings.
    'The course closes in May.',
    'Payable until 04/12/2026.',
    'Library books are due every year on 27 November.',
    // Done, off, asked, imagined, quoted.
    '- [x] renew the ID card by 5 December 2026',
    '- [x] Renew the ID card. It expires on 5 December 2026.',
    'The library book is due on 27 November 2026, returned it today.',
    'The dinner by 28 November 2026 is cancelled.',
    'Does the lease end by 31 December 2026?',
    'He wrote: "The world ends on 21 December 2026, be quick."',
    'No tests are due on 24 November 2026.',
    // No word that makes it due; code; templates; no prose.
    'The invoice of 24 December 2026 has a typo.',
    '```\nrenew by 2026-12-05\n```',
    'Renew {{thing}} by 2026-12-05.',
    '---\nstatus: done\ndue: 2026-12-05\n---\nThe form of the city.',
    'Version 2026.12.1 is due.',
    'Warranty of the oven until 1 March 2031.',
  ])('%s', (value) => {
    expect(daysOf([{ key: 'n', value, at: '2026-11-10' }])).toEqual([]);
  });

  it('is in a template by its key', () => {
    expect(daysOf([{ key: 'templates/form', value: 'Renew by 2026-12-05.' }])).toEqual([]);
  });

  it.each([
    ['The tax return has to be in by 30 November.', 'Sent off the tax return.'],
    ['The tax return has to be in by 30 November.', 'The tax return has to be in by 15 December now.'],
    ['Renew the parking permit by 1 December.', 'Parking permit renewed.'],
    ['- [ ] renew the parking permit by 2026-12-01', '- [x] renew the parking permit'],
  ])('%s, where a later note says: %s', (before, after) => {
    const days = daysOf([
      { key: 'before', value: before, at: '2026-11-02' },
      { key: 'after', value: after, at: '2026-11-12' },
    ]);
    expect(days).not.toContain('2026-11-30');
    expect(days).not.toContain('2026-12-01');
  });

  it('stays due where a later note is of something else', () => {
    expect(
      daysOf([
        { key: 'a', value: 'The tax return has to be in by 30 November.', at: '2026-11-02' },
        { key: 'b', value: 'Sent off the parcel for Bela.', at: '2026-11-12' },
      ]),
    ).toEqual(['2026-11-30']);
  });
});

it('does not hang on hostile notes', () => {
  const hostile = ['due 3 May by June - '.repeat(400), '"2027-01-02" due '.repeat(500), '[['.repeat(4_000)];
  const tasks = '- [ ] do it by 2027-01-02\n'.repeat(300);
  const due = daysOf(saying(...hostile, tasks, '-'.repeat(8_000)));
  expect(due).toEqual(['2027-01-02']);
});
