// Verifies the fifth open development set: node bench/dreams/development-set-5/check.mjs
import { checkSet } from '../check-set.mjs';

checkSet(import.meta.dirname, {
  wanted: { contradiction: 0, duplicate: 0, recurrence: 8, link: 0, due: 10 },
  differently: { contradiction: 0, recurrence: 6 },
  size: { from: 220, to: 250 },
  fewestDecoys: 38,
});
