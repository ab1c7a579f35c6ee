// Verifies the third planted set (blind): node bench/dreams/planted-set-3/check.mjs
import { checkSet } from '../check-set.mjs';

checkSet(import.meta.dirname, {
  wanted: { contradiction: 9, duplicate: 10, recurrence: 8, link: 6, due: 6 },
  differently: { contradiction: 7, recurrence: 4 },
  size: { from: 440, to: 470 },
  fewestDecoys: 120,
});
