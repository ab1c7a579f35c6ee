// Checks the planted set: node bench/dreams/planted-set/check.mjs
import { checkPlantedSet } from '../check-planted-set.mjs';

checkPlantedSet(import.meta.dirname, {
  from: '2026-01-01',
  until: '2026-10-01',
  now: '2026-10-01T09:00:00Z',
  fewestDecoys: 60,
  contradictions: 1,
});
