import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sharedLeaning } from './attribute-leanings.ts';
import { attributesBytes } from '../../data/attributes/pack.ts';
import { type Attributes, ATTRIBUTES, loadAttributes } from './attributes.ts';

/** A dozen entries in the form of data/attributes. */
const FILES = {
  'attributes-life.jsonl': [
    {
      a: 'rent',
      one: true,
      value: 'money',
      says: ['rent is', 'standing order to the landlord', 'pay the landlady', 'monthly rent'],
      asks: ['how much is the rent', 'what does the flat cost us'],
    },
    {
      a: 'commute',
      one: true,
      value: 'class:transport',
      says: ['drive to work', 'cycle to work', 'my commute is', 'annual ticket for'],
      asks: ['how do I get to work', 'how does X commute'],
    },
    {
      a: 'manager',
      one: true,
      value: 'person',
      says: ['report to', 'line manager is'],
      asks: ['who is the boss'],
    },
    {
      a: 'likes',
      one: false,
      value: 'text',
      says: ['is fond of', 'loves eating'],
      asks: ['what does X like'],
    },
  ],
  'attributes-work.jsonl': [
    {
      a: 'stand-up',
      one: true,
      value: 'time',
      says: ['stand-up at', 'begin the day together'],
      asks: ['when is the daily'],
    },
    {
      a: 'port',
      one: true,
      value: 'port',
      says: ['listens on port', 'bound to'],
      asks: ['which port does X use'],
    },
  ],
  'classes.jsonl': [
    {
      class: 'transport',
      exclusive: true,
      members: [
        ['car', 'drive', 'by car'],
        ['bicycle', 'bike', 'cycle'],
        ['train', 's-bahn'],
      ],
    },
    { class: 'language of code', exclusive: true, members: [['go', 'golang'], ['c++'], ['rust']] },
  ],
  'changes.jsonl': [
    {
      state: ['vegetarian', 'does not eat meat'],
      ends: ['ordered the steak', 'eats meat again'],
      a: 'diet',
    },
    { state: ['drive to work', 'our car'], ends: ['sold the car', 'bought my car'], a: 'owns a car' },
  ],
};

let folder: string;
let attributes: Attributes;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'reverie-attributes-'));
  for (const [file, lines] of Object.entries(FILES))
    fs.writeFileSync(path.join(folder, file), lines.map((line) => JSON.stringify(line)).join('\n'));
  fs.writeFileSync(path.join(folder, ATTRIBUTES.packed), attributesBytes(folder));
  attributes = loadAttributes(folder);
});
afterEach(() => {
  fs.rmSync(folder, { recursive: true });
});

const namesIn = (text: string, via: 'says' | 'asks' = 'says'): string[] =>
  attributes
    .attributesIn(text)
    .flatMap((one) => (one.via === via && one.strength > 0.3 ? [one.attribute.a] : []));

describe('attributes of a text', () => {
  it.each([
    ['Our rent for the flat is now 685.', 'rent'],
    ['Standing order to the landlady raised to 685, from this month.', undefined],
    ['I set up a standing order, 620 euros, to the landlord.', 'rent'],
    ['He drove to work in the Polo.', 'commute'],
    ['For the form: I report to Colm Devlin.', 'manager'],
    ['The daily report went to everybody.', undefined],
    ['Standup is at nine.', 'stand-up'],
    ['We begin each day together at 9:45.', 'stand-up'],
    ['The stand is up at the fair.', undefined],
    ['She listens to the radio. The port is busy.', undefined],
  ])('reads %s', (text, name) => {
    expect(namesIn(text)).toEqual(name === undefined ? [] : [name]);
  });

  it('reads what is asked, weaker than what is said', () => {
    const [asked] = attributes.attributesIn('How much is the rent of the flat?');
    expect(asked).toMatchObject({ attribute: { a: 'rent' } });
    expect(namesIn('How does Mira commute?', 'asks')).toEqual(['commute']);
  });

  it('says where, and is the surer the nearer the words stand', () => {
    const text = 'Well, we pay the landlady in cash.';
    const [near] = attributes.attributesIn(text);
    expect(text.slice(near?.from, near?.to)).toBe('pay the landlady');
    const [far] = attributes.attributesIn('We pay, every first of the month, the old landlady.');
    expect(far?.strength ?? 0).toBeLessThan(near?.strength ?? 0);
  });

  it('sees that it is denied', () => {
    expect(attributes.attributesIn('We never pay the landlady in cash.')[0]?.isDenied).toBe(true);
    expect(attributes.attributesIn('We pay the landlady, not in cash.')[0]?.isDenied).toBe(false);
  });
});

describe('members of classes', () => {
  const membersIn = (text: string) => attributes.membersIn(text).map(({ of, name }) => `${of.name}: ${name}`);
  it.each([
    ['She cycles, or takes the S-Bahn.', ['transport: bicycle', 'transport: train']],
    ['We go there for C++ and c.', ['language of code: c++']],
    ['The daemon is written in Go.', ['language of code: go']],
    ['Golang, they say.', ['language of code: go']],
  ])('reads %s', (text, names) => {
    expect(membersIn(text)).toEqual(names);
  });
});

describe('states and their ends', () => {
  const turnsIn = (text: string) =>
    attributes
      .changesIn(text)
      .map(({ change, side, isDenied }) => `${change.a} ${side}${isDenied ? ' denied' : ''}`);
  it.each([
    ['Henk is a vegetarian.', ['diet state']],
    ['Henk ordered the biggest steak.', ['diet end']],
    ['Henk eats meat again.', ['diet end']],
    ['A girl bought my old car.', ['owns a car end']],
    ['Nobody sold the car, we did not.', ['owns a car end']],
    ['We never drove to work.', ['owns a car state denied']],
  ])('reads %s', (text, turns) => {
    expect(turnsIn(text)).toEqual(turns);
  });
});

it('leans to what single words point to', () => {
  const near = (a: string, b: string) => sharedLeaning(attributes.leaningOf(a), attributes.leaningOf(b));
  expect(near('The landlord wants more.', 'We pay 700 a month for the flat.')).toBeGreaterThan(0.9);
  expect(near('The landlord wants more.', 'It listens on 8080.')).toBe(0);
  expect(attributes.leaningOf('').size).toBe(0);
});

it('says which line is wrong', () => {
  fs.appendFileSync(path.join(folder, 'attributes-life.jsonl'), '\n{"a": "x"}');
  expect(() => attributesBytes(folder)).toThrow(/attributes-life\.jsonl:5/u);
});

it('is refused where its file is cut short or something else', () => {
  const file = path.join(folder, ATTRIBUTES.packed);
  const bytes = fs.readFileSync(file);
  for (const broken of [bytes.subarray(0, 10), bytes.subarray(0, bytes.length - 100), Buffer.alloc(5_000)]) {
    fs.writeFileSync(file, broken);
    expect(() => loadAttributes(folder)).toThrow(/not a packed lexicon|cut short/u);
  }
});

it('is packed from the lines that come with the program', () => {
  const packed = fs.readFileSync(path.join(ATTRIBUTES.folder, ATTRIBUTES.packed));
  expect(packed.equals(attributesBytes(ATTRIBUTES.folder))).toBe(true);
});
