// Verifies the fourth planted set (blind): node bench/dreams/planted-set-4/check.mjs
import { checkSet } from '../check-set.mjs';

checkSet(import.meta.dirname, {
  wanted: { contradiction: 10, duplicate: 10, recurrence: 8, link: 6, due: 6 },
  differently: { contradiction: 8, recurrence: 6 },
  size: { from: 470, to: 520 },
  fewestDecoys: 130,
});
