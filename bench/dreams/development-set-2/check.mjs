// Verifies the second open development set: node bench/dreams/development-set-2/check.mjs
import { checkSet } from '../check-set.mjs';

checkSet(import.meta.dirname, {
  wanted: { contradiction: 14, duplicate: 8, recurrence: 12, link: 12, due: 12 },
  differently: { contradiction: 12, recurrence: 6 },
  size: { from: 330, to: 370 },
  fewestDecoys: 100,
});
