import { describe, expect, it } from 'vitest';
import { evidenceIn } from '../reading/evidence.ts';
import { readMemory } from '../reading/passages.ts';
import { asking, evidenceDeps, memory } from '../testing/asking.ts';

/** A Friday. */
const NOW = '2026-11-20T12:00:00Z';

function namesOf(text: string, value: string, date: string): number {
  const given = memory({ key: 'k', value, metadata: { date } });
  const read = readMemory(given, { anchors: [], nameConcepts: () => new Map() });
  return evidenceIn(evidenceDeps, asking(text, NOW), read).names;
}

describe.each([
  'what did we eat last friday?',
  '¿qué comimos el viernes pasado?',
  'was gab es am letzten freitag?',
  'wat aten we vorige week vrijdag?',
  'che cosa abbiamo mangiato venerdì scorso?',
  'o que comemos na sexta-feira passada?',
  'qu’avons-nous mangé vendredi dernier ?',
])('%s', (question) => {
  it('has a date', () => {
    const dated = asking(question, NOW).words.filter(({ role }) => role === 'date');
    expect(dated.length).toBeGreaterThan(0);
    expect(dated.every(({ span }) => span?.from === Date.UTC(2026, 10, 13))).toBe(true);
  });

  it('is of a memory of that day, or of one that writes it, and of no other Friday', () => {
    expect(namesOf(question, 'Soup.', '2026-11-13T18:00:00Z')).toBeGreaterThan(0.6);
    expect(namesOf(question, 'Soup on 13 November 2026.', '2026-11-15')).toBe(1);
    expect(namesOf(question, 'Soup.', '2026-11-06T18:00:00Z')).toBeLessThan(0.5);
  });
});

it.each([
  '¿qué pasa los viernes?',
  'was ist im märz?',
  'che cosa c’è di venerdì?',
  'o que há em março?',
  'wat is er in maart?',
])('%s has a date role without a span', (question) => {
  const dated = asking(question, NOW).words.filter(({ role }) => role === 'date');
  expect(dated).toHaveLength(1);
  expect(dated[0]?.span).toBeUndefined();
});
