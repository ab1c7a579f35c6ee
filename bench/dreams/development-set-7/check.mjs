// Verifies the seventh open development set: node bench/dreams/development-set-7/check.mjs
import { checkLabels } from '../check-labels.mjs';

checkLabels(import.meta.dirname, {
  prefix: 'o7-',
  start: '2026-01-20T00:00:00Z',
  size: 220,
  wanted: { recurrence: 10, due: 10 },
  different: { recurrence: 7 },
  forms: {},
  byMonth: 2,
  fewestDecoys: { recurrence: 40, due: 40 },
});
