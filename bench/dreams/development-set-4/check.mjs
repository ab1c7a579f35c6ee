// Verifies the fourth open development set: node bench/dreams/development-set-4/check.mjs
import { checkSet } from '../check-set.mjs';

checkSet(import.meta.dirname, {
  wanted: { contradiction: 38, duplicate: 10, recurrence: 12, link: 10, due: 10 },
  differently: { contradiction: 28, recurrence: 8 },
  size: { from: 390, to: 440 },
  fewestDecoys: 200,
});
