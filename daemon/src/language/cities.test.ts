import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { citiesIn } from './cities.ts';

const same = (a: string, b: string) => {
  const cities = new Set(citiesIn(a).map(({ city }) => city));
  return citiesIn(b).some(({ city }) => cities.has(city));
};

it.each([
  ['in Wien', 'in Vienna'],
  ['nach München', 'to Munich'],
  ['v Praha', 'to Prague'],
  ['aus Köln', 'from Cologne'],
  ['em Lisboa', 'à Lisbonne'],
  ['a Firenze', 'in Florenz'],
  ['à Genève', 'em Genebra'],
  ['Moskva', 'Moscou'],
  ['das Wiener Büro', 'the office in Vienna'],
  ['der Münchner Flughafen', 'the airport of Munich'],
  ['Kölns Dom', "Cologne's cathedral"],
  ['treffen in wien', 'meeting in Vienna'],
  ['a Ciudad del Cabo', 'to Cape Town'],
  ["all'Aia", 'in The Hague'],
  ['in Straßburg', 'a Estrasburgo'],
  ['in Strassburg', 'in Strasbourg'],
  ['nach Nizza', 'to Nice'],
])('%s and %s are of one city', (a, b) => {
  expect(same(a, b)).toBe(true);
});

it.each([
  ['in Wien', 'in Prague'],
  ['nach Nizza', 'it was nice'],
  ['nach Nizza', 'It was nice'],
  ['à Vienne', 'Je veux qu’elle vienne avec toi à Bath'],
  ['nach Köln', 'a scent of cologne'],
  ['in Kapstadt', 'a town by the cape'],
  ['in Rom', 'the Romans of Trier'],
  ['', 'Vienna'],
])('%s and %s are not', (a, b) => {
  expect(same(a, b)).toBe(false);
});

it('says which words are the name', () => {
  expect(citiesIn('From The Hague to Cape Town.').map(({ words }) => words)).toEqual([
    ['hague'],
    ['cape', 'town'],
  ]);
});

it('gives no name to two cities', () => {
  const file = readFileSync(join(import.meta.dirname, '../../data/places/cities.txt'), 'utf8');
  const lines = file.split('\n').filter((line) => line.includes('|'));
  expect(lines.length).toBeGreaterThan(150);
  for (const line of lines) {
    const cities = line
      .split('|')
      .map((name) =>
        citiesIn(`X ${name.replace(/(?<!\p{L})\p{Ll}/u, (first) => first.toUpperCase())}`).map(
          ({ city }) => city,
        ),
      );
    expect([line, new Set(cities.flat()).size, cities.every(({ length }) => length === 1)]).toEqual([
      line,
      1,
      true,
    ]);
  }
});
