import { describe, expect, it } from 'vitest';
import { devFindings, devSet } from './fixtures/dev-set.ts';
import { contextOf, viewOf } from './fixtures/view.ts';
import { pattern } from './pattern.ts';

const days = (lines: readonly (readonly [at: string, value: string])[]) =>
  lines.map(([at, value], index) => ({ at, key: `n${index}`, value }));
const run = (lines: readonly (readonly [at: string, value: string])[]) =>
  pattern.run(viewOf([...devSet, ...days(lines)]), contextOf());
const ofThese = async (lines: readonly (readonly [at: string, value: string])[]) =>
  (await run(lines)).filter(({ evidence }) => evidence.some(({ key }) => /^n\d+$/u.test(key)));

describe('pattern', () => {
  it('finds what recurs in the development set, and nothing else', async () => {
    const got = await pattern.run(viewOf(devSet), contextOf());
    const wanted = devFindings.pattern ?? [];
    const isOf = (keys: readonly string[], evidence: readonly { key: string }[]) =>
      evidence.filter(({ key }) => keys.includes(key)).length >= 3;
    expect(
      wanted.filter((keys) => got.some(({ evidence }) => isOf(keys, evidence))).length,
    ).toBeGreaterThanOrEqual(3);
    expect(got.filter(({ evidence }) => !wanted.some((keys) => isOf(keys, evidence)))).toEqual([]);
  });

  it.each([
    [
      'a machine that fails in different words',
      [
        ['2026-06-01', 'The label printer jammed twice before lunch.'],
        ['2026-06-20', 'Label printer down, had to restart it.'],
        ['2026-07-11', 'Error E7 on the label printer again.'],
      ],
    ],
    [
      'a person who is late',
      [
        ['2026-06-01', 'Waited for Quentin, he came forty minutes late.'],
        ['2026-06-09', 'Quentin was late for the rehearsal again.'],
        ['2026-06-23', 'Started without Quentin, who was delayed as always.'],
      ],
    ],
    [
      'a symptom',
      [
        ['2026-06-01', 'Nosebleed after cycling.'],
        ['2026-06-14', 'Woke up with a nosebleed.'],
        ['2026-07-02', 'Another nosebleed, at the office this time.'],
      ],
    ],
    [
      'an error by its code, its message and in words',
      [
        ['2026-06-01', 'Nightly import of velox died with ENOSPC.'],
        ['2026-07-03', 'velox: no space left on device during the import, deleted old dumps.'],
        ['2026-08-04', 'Disk of velox full again, the import stopped.'],
      ],
    ],
    [
      'what no two of them say in the same words',
      [
        ['2026-06-01', 'Power cut in the pottery at noon, the kiln went cold.'],
        ['2026-07-03', 'Breaker tripped again while the kiln was on.'],
        ['2026-08-14', 'Blackout in the middle of a firing, kiln lost forty degrees.'],
      ],
    ],
    [
      'what the same words tell three times',
      [
        ['2026-06-01', 'Renewed the certificate of the ferry gateway by hand.'],
        ['2026-07-20', 'Renewed the certificate of the ferry gateway by hand, still no bot.'],
        ['2026-09-08', 'Renewed the certificate of the ferry gateway by hand.'],
      ],
    ],
    [
      'what is stated in the same words, without any verb',
      [
        ['2026-04-14', 'Siren test in the village, April.'],
        ['2026-06-09', 'Siren test in the village, June.'],
        ['2026-08-11', 'Siren test in the village, August.'],
      ],
    ],
    [
      'a headache of one who has a short name',
      [
        ['2026-06-01', 'Ottilie has a splitting headache after the regatta.'],
        ['2026-06-20', 'Migraine for O tonight, right after the regatta.'],
        ['2026-07-11', 'Ottilie came home with a headache after the regatta.'],
      ],
    ],
    [
      'one verb of one thing',
      [
        ['2026-06-01', 'Zephyrus crashed while it opened a scan.'],
        ['2026-06-20', 'Zephyrus crashed again, lost an hour.'],
        ['2026-07-11', 'Another crash of Zephyrus before lunch.'],
      ],
    ],
    [
      'who pays late, with what comes of it',
      [
        ['2026-04-14', 'The Copperpot Café paid late, twelve days over.'],
        ['2026-06-09', 'The Copperpot Café paid late, eight days over.'],
        ['2026-08-11', 'The Copperpot Café paid late, eleven days over, Wanda will write a reminder.'],
      ],
    ],
    [
      'what runs dry',
      [
        ['2026-04-14', 'Orangery: the fogger was bone dry, no wonder that the ferns sulk.'],
        ['2026-06-09', 'Nobody refilled the tank of the fogger in the orangery.'],
        ['2026-08-11', 'Fogger ran empty again over the weekend.'],
      ],
    ],
  ] as const)('finds %s', async (_, lines) => {
    const [proposal] = await ofThese(lines);
    expect(proposal?.evidence.map(({ key }) => key)).toEqual(['n0', 'n1', 'n2']);
    expect(proposal?.title).toContain('3 times');
  });

  it.each([
    [
      'twice',
      [
        ['2026-06-01', 'The label printer jammed.'],
        ['2026-06-20', 'The label printer jammed again.'],
      ],
    ],
    [
      'three times on one day',
      [
        ['2026-06-01', 'The label printer jammed.'],
        ['2026-06-01', 'The label printer jammed again.'],
        ['2026-06-01', 'The label printer jammed once more.'],
      ],
    ],
    [
      'a topic',
      [
        ['2026-06-01', 'The label printer is a Zebra.'],
        ['2026-06-20', 'Labels for the label printer are on the shelf.'],
        ['2026-07-11', 'The label printer needs the driver 8.6.'],
      ],
    ],
    [
      'plans and questions',
      [
        ['2026-06-01', 'What if the label printer fails?'],
        ['2026-06-20', 'The label printer might fail in the heat.'],
        ['2026-07-11', 'We will replace the label printer before it fails.'],
      ],
    ],
    [
      'rules that are written down again',
      [
        ['2026-06-01', 'Feed the tortoise before eight and never after noon.'],
        ['2026-06-20', 'The tortoise must be fed before eight, never after noon.'],
        ['2026-07-11', 'Always feed the tortoise before eight.'],
      ],
    ],
    [
      'one trouble of three things',
      [
        ['2026-06-01', 'Auth service ran out of memory at three.'],
        ['2026-06-20', 'Disk full on the mail relay.'],
        ['2026-07-11', 'Certificate of the shop expired.'],
      ],
    ],
    [
      'one word of three matters',
      [
        ['2026-06-01', 'Damp behind the wardrobe.'],
        ['2026-06-20', 'Damp towels on the banister, who was it.'],
        ['2026-07-11', 'Damp soil at last, garlic is in.'],
      ],
    ],
    [
      'a person of whom much is told',
      [
        ['2026-06-01', 'Isidor lost a button of his coat.'],
        ['2026-06-20', 'Isidor was allergic to kiwi once, he says.'],
        ['2026-07-11', 'Isidor won the raffle of the rowing club.'],
      ],
    ],
    [
      'what is denied',
      [
        ['2026-06-01', 'Back on the lake, nothing leaks in the dinghy.'],
        ['2026-06-20', 'The dinghy no longer leaks.'],
        ['2026-07-11', 'Dinghy checked for the regatta: never leaked.'],
      ],
    ],
    [
      'one verb of many things',
      [
        ['2026-06-01', 'Zephyrus crashed while it opened a scan.'],
        ['2026-06-20', 'A moped crashed into the garden gate.'],
        ['2026-07-11', 'Waves crashed over the jetty.'],
      ],
    ],
    [
      'headaches of three people',
      [
        ['2026-06-01', 'Headache all day, too little sleep.'],
        ['2026-06-20', 'Ottilie has a headache from her new glasses.'],
        ['2026-07-11', 'Fergus came home with a headache, too much sun.'],
      ],
    ],
    [
      'a flu and the jabs against it',
      [
        ['2026-06-01', 'In bed with the flu.'],
        ['2026-06-20', 'Flu jab done, arm like wood.'],
        ['2026-07-11', 'Got the flu spray at the surgery.'],
      ],
    ],
    [
      'readings',
      [
        ['2026-06-01', 'Water meter reading: 120.'],
        ['2026-07-01', 'Water meter reading: 131.'],
        ['2026-08-01', 'Water meter reading: 140.'],
      ],
    ],
  ] as const)('is silent about %s', async (_, lines) => {
    expect(await ofThese(lines)).toEqual([]);
  });

  it('leaves out who only says the same word', async () => {
    const [proposal] = await ofThese([
      ['2026-06-01', 'Velox crashed at four, restarted it.'],
      ['2026-07-03', 'Velox crashed once more during the export.'],
      ['2026-07-20', 'Tried the new editor theme on velox, looks fine.'],
      ['2026-08-14', 'Another crash of velox in the night.'],
    ]);
    expect(proposal?.evidence.map(({ key }) => key)).toEqual(['n0', 'n1', 'n3']);
  });

  it('tells the period with its spread, and the weekday', async () => {
    const [proposal] = await ofThese([
      ['2026-06-04', 'Ran out of ink for the label printer again.'],
      ['2026-06-11', 'The label printer ran out of ink.'],
      ['2026-06-18', 'Label printer: ink empty again.'],
      ['2026-06-25', 'No ink left in the label printer, empty again.'],
    ]);
    expect(proposal?.body).toContain('About every 7 days (± 0). Mostly on a Thursday.');
  });
});
