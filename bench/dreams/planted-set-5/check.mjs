// Verifies the fifth planted set: node bench/dreams/planted-set-5/check.mjs
import { checkLabels, PLANTED } from '../check-labels.mjs';

checkLabels(import.meta.dirname, {
  prefix: 'e5-',
  start: '2026-01-20T00:00:00Z',
  ...PLANTED,
});
