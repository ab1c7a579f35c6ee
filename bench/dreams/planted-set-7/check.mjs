// Verifies the seventh planted set (blind): node bench/dreams/planted-set-7/check.mjs
import { checkLabels, PLANTED } from '../check-labels.mjs';

checkLabels(import.meta.dirname, {
  prefix: 'e7-',
  start: '2026-01-25T00:00:00Z',
  ...PLANTED,
});
