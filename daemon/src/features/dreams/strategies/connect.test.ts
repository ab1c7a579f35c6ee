import { describe, expect, it } from 'vitest';
import { connect } from './connect.ts';
import { devFindings, devSet } from './fixtures/dev-set.ts';
import { contextOf, viewOf } from './fixtures/view.ts';

const linksOf = async (
  one: string,
  other: string,
  keys: readonly [string, string] = ['home/shelf', 'diary/june'],
) =>
  (
    await connect.run(
      viewOf([
        ...devSet,
        { at: '2026-06-01', key: keys[0], value: one },
        { at: '2026-09-20', key: keys[1], value: other },
      ]),
      contextOf(),
    )
  ).flatMap(({ change }) =>
    change?.kind === 'link' && change.from === keys[0] && change.to === keys[1] ? [change] : [],
  );

describe('connect', () => {
  it('finds the links of the development set, and nothing else', async () => {
    const got = await connect.run(viewOf(devSet), contextOf());
    expect(got.map(({ evidence }) => evidence.map(({ key }) => key)).sort()).toEqual(
      (devFindings.connect ?? []).map((keys) => [...keys]).sort(),
    );
  });

  it.each([
    [
      'a part number',
      'The shelf takes brackets of type KB-4471.',
      'The man at the flea market had a box of KB-4471, unused.',
    ],
    [
      'a library',
      'papyrus-grid draws the calendar.',
      "Lunch with Ola's friend, who turned out to maintain papyrus-grid.",
    ],
    [
      'a full name',
      'The shelf was built by Ansgar Tholen.',
      'Concert in the barn; the cellist was Ansgar Tholen.',
    ],
    [
      'a surname at the beginning of a sentence, and with a title',
      'Velthuizen fixed the shelf and took nothing for it.',
      'The cardiologist that Dad was sent to is a Dr. Velthuizen.',
    ],
    [
      'a surname with a first name, and with an initial',
      'Zdeněk Hrubín made the shelf.',
      'Reminder of a collection agency on behalf of Z. Hrubín.',
    ],
    [
      'a name with accents and without',
      'The yard in Plougrévant sells off its shelves.',
      'Looking for cheap ferry tickets, as they have them at Plougrevant harbour.',
    ],
    [
      'a name with a possessive',
      "Oyelaran's sells shelf brackets one by one.",
      'The band needs a stage, there is one at Oyelaran.',
    ],
    [
      'a name and its compound',
      'The shelf needs oil, as they have it on Skarvøya.',
      'The Skarvøya-boat takes parcels on request.',
    ],
    [
      'a name of ordinary words with capitals',
      'Planted a Summer Lantern behind the shelf shop.',
      'The swap list says somebody looks for a Summer Lantern.',
    ],
    [
      'a library whose name is in no dictionary',
      'zugraster lays out the shelf plan.',
      'Advisory: zugraster below 2.1 can be crashed by a font.',
    ],
    [
      'a library of two ordinary words',
      'Tried otter-lint on the shelf repo, too slow.',
      'The candidate lists otter-lint as his own project.',
    ],
    [
      'a part number that is spaced otherwise',
      'The shelf lamp wants a tube FQ 5408.',
      'Box at the dump: four tubes, marked FQ5408.',
    ],
    [
      'a number in groups',
      'Shelf lift motor: 058 045 3021 on the plate.',
      'Garage clearance of a friend, one unused 0580453021.',
    ],
    [
      'a reference and a part of it',
      'Shelf scanner shows OP-1042 when it is dusty.',
      'The insurance gave us the reference OP-1042-K.',
    ],
    [
      'a name and its genitive in another language',
      'Frau Obermoser verleiht ihre Säge für das Regal.',
      'Wir suchen eine Säge: Frau Obermosers Schwester ist nicht da.',
    ],
    [
      'a library that is named before a noun',
      'Tried kestrelmq for the shelf events.',
      'Talk in Vienna: the kestrelmq author explains his format.',
    ],
    [
      'a surname with a first name, and with that of a partner of a firm',
      'The shelf was built by Ansgar Tholen.',
      'Tholen & Moens offer to pay half of the fence, says their letter.',
    ],
    ['an error code', 'The shelf fridge stopped with E24.', 'On theirs an E24 was only a kinked hose.'],
  ])('links by %s', async (_, one, other) => {
    expect(await linksOf(one, other)).toHaveLength(1);
  });

  it.each([
    ['a month', 'The shelf came in June.', 'Rain all June.'],
    [
      'another first name',
      'The shelf was built by Ansgar Tholen.',
      'Concert in the barn; the cellist was Mareike Tholen.',
    ],
    ['a common word', 'The shelf is oak.', 'Under the oak by the river.'],
    ['a rare word of the dictionary', 'The shelf holds tubers.', 'The tuber was rotten.'],
    ['a form of one', 'The shelf is unlabelled.', 'Unlabelled jars, thrown away.'],
    [
      'a name that one text gives to two people',
      'Corentin S. built the shelf, Corentin T. paid for it.',
      'Corentin at the bakery keeps bread for us.',
    ],
    [
      'a new word that is no name',
      'The shelf is from the swapfest.',
      'Someone at a swapfest sold me a lamp.',
    ],
    ['a medicine', 'Dad keeps his enalapril on the shelf.', 'Nora takes enalapril as well, half of it.'],
    [
      'a word of another language',
      'De plank hangt nog altijd scheef aan de muur, morgen kijkt hij ernaar.',
      'Ze komt morgen niet, want de trein rijdt nog altijd met vertraging.',
    ],
    [
      'a school',
      'The shelf was made at Quenby Bank High, by year nine.',
      'I taught evening classes at Quenby Bank High.',
    ],
    ['a weekday in short', 'Shelf shop open Tue only.', 'Standup moved: Tue, half past nine.'],
    [
      'initials of another person',
      'The shelf was built by A. Velthuizen.',
      'Letter from Zdenka Velthuizen about the fence.',
    ],
    [
      'a name that everybody has heard',
      'The shelf of the Red Cross.',
      'Blood donation at the Red Cross, Thursday.',
    ],
    ['a city', 'The shelf came from Lisbon.', 'A conference in Lisbon next spring.'],
    ['a first name that many have', 'Tom built the shelf.', 'A postcard from Tom.'],
    ['a brand', 'The shelf is from Amazon.', 'The Amazon film was long.'],
    [
      'a shop in passing',
      'The shelf paint is from Quenbury.',
      'Met the aunt of Ola in the queue at Quenbury, she has a new hat.',
    ],
    [
      'one first name of two people',
      'Henrike will send her book on shelves, she lives by the sea.',
      'The dentist has an assistant called Henrike, with cold hands.',
    ],
    [
      'somebody who is hummed',
      'The radio played Sibelius at the shelf.',
      'Ola hums Sibelius when he is late.',
    ],
    [
      'two people who are named together',
      'Milo and Otis held the shelf, nobody else could.',
      'The tent of Milo and Otis needs a pole.',
    ],
    [
      'a German noun that begins nothing',
      'Die Geduld von Ola möchte ich haben, das Regal ist noch nicht da.',
      'Mit Geduld und Spucke ging der Reißverschluss vom Zelt wieder zu.',
    ],
    ['a street', 'The shelf shop is in Quenby Road.', 'Flat to let in Quenby Road.'],
    ['a version', 'The shelf firmware is v2.4.', 'The plugin needs v2.4.'],
    ['a measure', 'The shelf is 180cm.', 'Snow, 180cm.'],
    ['a percentile', 'The shelf API takes 90 ms at p95.', 'Aim for 200 ms at p95.'],
    ['an abbreviation', 'The shelf PDFs are slow.', 'All golden PDFs are the same.'],
    ['a German noun', 'Das Regal ist im Abstellraum.', 'Wir sind mit dem Abstellraum fertig.'],
    ['a French word', 'Étagère : billet déjà remboursé.', 'Remboursé un vélo à M. Sarrazin, déjà.'],
    [
      'a German noun in a short sentence',
      'Brotkasten klemmt, die Schublade ist leer.',
      'Brotkasten liegt bei ihr, nur abends gießen.',
    ],
    ['a service that everybody uses', 'The shelf plan is on GitHub.', 'GitHub was down for an hour.'],
    ['an error that everybody meets', 'Shelf job: SQLITE_BUSY.', 'SQLITE_BUSY, said the importer.'],
    ['an error of every runtime', 'Shelf job: NullPointerException.', 'NullPointerException in the player.'],
    [
      'the words of a foreign title',
      'The shelf play is "Die gestohlene Waschmaschine".',
      'Tickets for "Die gestohlene Waschmaschine" cost nine euro.',
    ],
    ['a word joined to another', 'The shelf is tree-shaken.', 'A tree-shaken bundle.'],
    ['a price', 'The shelf was 129.50 euro.', 'Shoes, 129.50 euro.'],
    [
      'what is said to be another thing',
      'The shelf takes brackets of type KB-4471.',
      'KB-4471 is also a flight, nothing to do with the brackets.',
    ],
    [
      'an adverb of another language',
      'Heizung wieder ausgefallen, musste Herrn Huber anrufen.',
      'Schon wieder Regal kaputt, Meier kam erst am Abend.',
    ],
  ])('does not link by %s', async (_, one, other) => {
    expect(await linksOf(one, other)).toEqual([]);
  });

  it('does not link what was written within two days, or in one session', async () => {
    const link = async (at: string, session?: string) =>
      (
        await connect.run(
          viewOf([
            ...devSet,
            {
              at: '2026-06-01',
              key: 'home/shelf',
              value: 'We need Mr Velthuizen for the roof.',
              ...(session && { session }),
            },
            {
              at,
              key: 'diary/june',
              value: 'Velthuizen offers to come, it takes three days.',
              ...(session && { session }),
            },
          ]),
          contextOf(),
        )
      ).filter(({ content }) => content === 'link velthuizen').length;
    expect(await Promise.all([link('2026-06-02'), link('2026-09-01', 's1'), link('2026-09-01')])).toEqual([
      0, 0, 1,
    ]);
  });

  it('does not link by a person in one folder, and does by a part number', async () => {
    const keys = ['boats/hull', 'boats/season'] as const;
    const link = (name: string, at: readonly [string, string]) =>
      linksOf(`The hull needs sanding by ${name}.`, `A postcard that offers ${name}.`, at);
    expect(await link('Velthuizen', keys)).toEqual([]);
    expect(await link('KB-4471', keys)).toHaveLength(1);
    // A journal is no topic.
    expect(await link('Velthuizen', ['journal/one', 'journal/two'])).toHaveLength(1);
  });
});
