import { describe, expect, it } from 'vitest';
import { contradict } from './contradict.ts';
import { saying, type TestNote, viewOf } from './testing.ts';

const keysOf = (notes: readonly TestNote[]) =>
  contradict(viewOf(notes)).map(({ evidence }) => evidence.map(({ key }) => key));
const both = [['n0', 'n1']];

describe('two that disagree', () => {
  it.each([
    ['The tile server of sherds listens on port 8466.', 'The tile server of sherds listens on port 8521.'],
    ['The farm gate is unlocked at 7:15.', 'The farm gate is unlocked at 7:45.'],
    [
      'The skip is emptied on Tuesdays, put the barrows away.',
      'The skip is emptied on Thursdays, put the barrows away.',
    ],
    ['Our contact at the record office is Mrs Hetherby.', 'Our contact at the record office is Mr Lorrimer.'],
    ['The office cellar is insured against floods.', 'The office cellar is not insured against floods.'],
    ['Key safe at the site hut: 4471.', 'Key safe at the site hut: 9026.'],
    ['Wi-Fi password: kestrel42', 'Wi-Fi password: otter17'],
    ['# Gate\n\nPort: 8080\nHost: lake', '# Gate\n\nPort: 9090\nOwner: Ida'],
    ['| Room | Key |\n|---|---|\n| Attic | red |\n', '| Room | Key |\n|---|---|\n| Attic | blue |\n'],
    ['---\nname: Gate\nregion: eu-west\n---\nOne.', '---\nname: gate\nregion: eu-north\n---\nTwo notes.'],
  ])('%s | %s', (one, other) => {
    const notes = saying(one, other);
    expect(keysOf(notes)).toEqual(both);
    for (const { evidence } of contradict(viewOf(notes)))
      for (const { key, sentence } of evidence)
        expect(notes.find((note) => note.key === key)?.value).toContain(sentence);
  });
});

describe('two that do not', () => {
  it.each([
    // Another thing.
    ['Chapter 3 is with the editor.', 'Chapter 4 is with the editor.'],
    ['# Gate\n\nPort: 8080', '# Ledger\n\nPort: 9090'],
    ['## Setup\n\nPort: 8080', '## Setup\n\nPort: 9090'],
    ['---\nregion: eu-west\n---\nThe gate.', '---\nregion: eu-north\n---\nThe ledger.'],
    ['| Room | Key |\n|---|---|\n| Attic | red |\n', '| Room | Key |\n|---|---|\n| Cellar | blue |\n'],
    // What every note has of its own, and what passes.
    ['---\nname: Gate\nstatus: open\n---\nOne.', '---\nname: Gate\nstatus: closed\n---\nTwo.'],
    ['Mileage of the Transit: 81,400.', 'Mileage of the Transit: 86,950.'],
    ['The library is at version 4.2.1 here.', 'The library is at version 4.3.0 here.'],
    // Happenings.
    ['The shop sold its lamps at 7:15.', 'The shop sold its lamps at 7:45.'],
    // One says more.
    ['# Gate\n\nOwner: Ida', '# Gate\n\nOwner: Ida Brandt'],
    ['We have a flight to Oslo.', 'We have a flight to Bergen tomorrow.'],
    // Asked.
    ['Is the gate unlocked at 7:15?', 'Is the gate unlocked at 7:45?'],
  ])('%s | %s', (one, other) => {
    expect(keysOf(saying(one, other))).toEqual([]);
  });

  it('are a series, or of days', () => {
    const at = (hour: number) => `The farm gate is unlocked at ${hour}:15.`;
    expect(keysOf(saying(at(6), at(7), at(8)))).toEqual([]);
    expect(
      keysOf([
        { key: 'log/2026-05-03', value: '# Boiler\n\nPressure: 1.2' },
        { key: 'log/2026-05-04', value: '# Boiler\n\nPressure: 0.8' },
      ]),
    ).toEqual([]);
  });

  it('share a label that many notes have', () => {
    const notes = Array.from({ length: 30 }, (_, at) => ({
      key: `n${at}`,
      value: `# Page ${Math.floor(at / 2)}\n\nShelf: ${at}`,
    }));
    expect(keysOf(notes)).toEqual([]);
  });
});

it('says on which day a note tells it itself', () => {
  const notes = saying('Key safe at the hut: 4471.', 'Key safe at the hut: 9026.').map((note, at) =>
    at === 0 ? note : { ...note, key: 'log/2026-05-03' },
  );
  expect(contradict(viewOf(notes))).toMatchObject([{ statedOn: { 'log/2026-05-03': Date.UTC(2026, 4, 3) } }]);
});
