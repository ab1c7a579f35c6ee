// Verifies the third open development set: node bench/dreams/development-set-3/check.mjs
import { checkSet } from '../check-set.mjs';

checkSet(import.meta.dirname, {
  wanted: { contradiction: 18, duplicate: 10, recurrence: 12, link: 10, due: 10 },
  differently: { contradiction: 8, recurrence: 9 },
  size: { from: 400, to: 430 },
  fewestDecoys: 400,
});
