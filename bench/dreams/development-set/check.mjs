// Verifies the open development set: node bench/dreams/development-set/check.mjs
import { checkSet } from '../check-set.mjs';

checkSet(import.meta.dirname, {
  wanted: { contradiction: 30, duplicate: 12, recurrence: 18, link: 24, due: 16 },
  differently: { contradiction: 20, recurrence: 9 },
  size: { from: 400, to: 440 },
  fewestDecoys: 160,
});
