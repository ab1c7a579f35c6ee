import { describe, expect, it } from 'vitest';
import { tellsChange } from './told.ts';

describe('a change that a note tells', () => {
  it.each([
    'Rent for the flat is now 685.',
    'From May on Wouter works Mondays.',
    'The finds moved to the old reading room.',
    'Since 4.2 the oldest interpreter is 3.11.',
    'New code of the gate: 9028.',
    'Our new dentist is Dr Whelan.',
    'The landlord put the rent up, £445.',
    'Owain does no physio any more.',
    'Ab sofort beginnt die Probe um 19:30.',
    'Désormais le cours est le jeudi.',
    'Mop is down to 160 grams.',
  ])('is told by: %s', (text) => {
    expect(tellsChange(text)).toBe(true);
  });

  it.each([
    'Rent for the flat is 685.',
    'Support is there on weekdays from 9 to 5.',
    'Taps are off from November to Easter.',
    'A shop may order 48 copies of a new title at most.',
    'Switch the alarm on by hand.',
    'All principals are cast from 60 % tin.',
    'Wood that is live stays in the freezer for two weeks, as it has always been with us.',
  ])('is not told by: %s', (text) => {
    expect(tellsChange(text)).toBe(false);
  });
});
