// Verifies the fifth planted set: node bench/dreams/planted-set-5/check.mjs
import { checkLabels } from '../check-labels.mjs';

checkLabels(import.meta.dirname, {
  prefix: 'e5-',
  start: '2026-01-20T00:00:00Z',
  size: 500,
  wanted: { contradiction: 10, duplicate: 10, recurrence: 8, link: 6, due: 6 },
  different: { contradiction: 8, recurrence: 6 },
  forms: { exact: 3, near: 3, reworded: 4 },
  byMonth: 2,
  fewestDecoys: { contradiction: 95, duplicate: 45, recurrence: 23, link: 23, due: 30 },
});
