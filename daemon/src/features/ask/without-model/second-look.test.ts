import { describe, expect, it } from 'vitest';
import { answering, asking } from '../testing/asking.ts';
import { acrossBridge, bridgesOf } from './second-look.ts';

const TOWN = 'Which town does my sister’s friend study in?';
const MIRA = 'My sister’s friend is called Mira.';

const ranked = (text: string, ...values: string[]) =>
  values.map((value, at) => answering({ id: at + 1, key: `note-${at}`, value }, asking(text), 0.5));
const bridges = (text: string, ...values: string[]) => bridgesOf(asking(text), ranked(text, ...values));

describe('a bridge', () => {
  it('is the name that a note gives for what the question describes, with what is left to be asked', () => {
    const [bridge, ...others] = bridges(TOWN, MIRA);
    expect(others).toEqual([]);
    expect(bridge).toMatchObject({ name: 'mira', from: { memory: { value: MIRA } } });
    expect(bridge?.text).toMatch(/town.* study.* Mira\?$/u);
    expect(bridge?.text).not.toMatch(/sister|friend/u);
  });

  it.each([
    ['describes nothing', 'Which town does Mira study in?', 'Mira is a student.'],
    [
      'is answered whole',
      'What is the name of my sister’s friend?',
      'The name of my sister’s friend is Mira.',
    ],
    ['is met by no word', TOWN, 'The flat is let to Ida.'],
    ['is met by a note without a name', TOWN, 'My sister’s friend is a student.'],
    [
      'is met by a name of its own',
      'Which town does my sister Mira study in, where she lives?',
      'My sister is Mira.',
    ],
    ['is met by a figure', TOWN, 'My sister’s friend has room R214.'],
  ])('is none where the question %s', (_, text, value) => {
    expect(bridges(text, value)).toEqual([]);
  });

  it('is one of three at most, each name once', () => {
    const names = 'My sister’s friend met Ada, Ben, Cleo, Dora and Emil.';
    expect(bridges(TOWN, names, MIRA, MIRA).map(({ name }) => name)).toHaveLength(3);
    expect(bridges(TOWN, MIRA, MIRA).map(({ name }) => name)).toEqual(['mira']);
  });
});

describe('across a bridge', () => {
  const question = asking(TOWN);
  const across = (value: string, best = MIRA) => {
    const [from] = ranked(TOWN, MIRA);
    const [bridge] = bridgesOf(question, from ? [from] : []);
    if (!bridge) throw new Error('there is no bridge');
    const others = [bridge.from, answering({ id: 7, key: 'other', value }, question)];
    return acrossBridge(question, bridge, { others, best: ranked(TOWN, best)[0] });
  };

  it('is the note that says of its name what is asked, read with the note that gives the name', () => {
    const [found] = across('Mira has begun to study in Tartu, a town in Estonia.');
    expect(found?.memory.id).toBe(7);
    const alone = answering(
      { key: 'other', value: 'Mira has begun to study in Tartu, a town in Estonia.' },
      question,
    );
    expect(found?.evidence.said).toBeGreaterThan(alone.evidence.said);
  });

  it.each([
    ['does not name it', 'Ida has begun to study in Tartu, a town in Estonia.'],
    ['has the name within another one', 'Miranda has begun to study in Tartu, a town in Estonia.'],
    ['has nothing that could be a place', 'Mira has begun to study, she says.'],
  ])('is no note that %s', (_, value) => {
    expect(across(value)).toEqual([]);
  });

  it('is another note than the one that gives the name', () => {
    const [from] = ranked(TOWN, 'My sister’s friend is called Mira, she is from Lyon.');
    const [bridge] = bridgesOf(question, from ? [from] : []);
    if (!bridge) throw new Error('there is no bridge');
    const best = ranked(TOWN, 'The flat is let to Ida.')[0];
    expect(acrossBridge(question, bridge, { others: [bridge.from], best })).toEqual([]);
  });

  it('is none where both notes say hardly more than the best one', () => {
    expect(
      across('Mira has begun to study in Tartu.', 'My sister’s friend does study in a town: Rome.'),
    ).toEqual([]);
  });
});
