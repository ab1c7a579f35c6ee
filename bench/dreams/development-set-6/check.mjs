// Verifies the sixth open development set: node bench/dreams/development-set-6/check.mjs
import { checkLabels } from '../check-labels.mjs';

checkLabels(import.meta.dirname, {
  prefix: 'o6-',
  start: '2026-01-25T00:00:00Z',
  size: 320,
  wanted: { contradiction: 24, duplicate: 20, link: 14 },
  different: { contradiction: 12 },
  forms: { exact: 4, near: 6, reworded: 10 },
  byMonth: 0,
  fewestDecoys: { contradiction: 90, duplicate: 40, link: 50 },
});
