// Checks the planted set: node bench/dreams/planted-set-2/check.mjs
import { checkPlantedSet } from '../check-planted-set.mjs';

checkPlantedSet(import.meta.dirname, {
  from: '2026-02-01',
  until: '2026-11-01',
  now: '2026-11-01T09:00:00Z',
  fewestDecoys: 100,
  contradictions: 6,
});
