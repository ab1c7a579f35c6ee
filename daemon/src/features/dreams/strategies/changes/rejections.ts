import { isLight } from '../concepts.ts';
import type { Term } from './term.ts';

const said = (...lists: readonly string[]): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}])(?:${lists.join('|')})(?![\\p{L}])`, 'giu');

/** Before what is no longer so: `no more gluten`, `the old printer`, `instead of tabs`. */
const BEFORE = said(
  "not|no|never|without|cannot|\\p{L}+n['’]t|nor|neither|nobody|none of|nothing to do with|no longer|stopped|quit|gave up|given up|giving up|instead of|rather than|in place of|the old|our old|my old|his old|her old|the former|my former|our former|the previous|her ex|his ex|my ex|goodbye to|farewell to|sold|got rid of|rid of|threw out|thrown out|ditched|dropped|scrapped|abandoned|abolished|deleted|removed|uninstalled|cancelled|canceled|replaces|replaced|replacing|moved away from|moved from|moved out of|switched from|switched off|switched away from|migrated from|migrated away from|away from|compared with|unlike|other than|used to|ignore|forget|forget about|don['’]t use|no need for|no need of|do without|had enough of|tired of|fed up with|voted out|pulled the plug on|the end of|lost|shut down|broke up with|divorced|split from|successor of|succeeds|succeeded|took over from|takes over from|takes over|taken over from|handed over by|changed our minds about|changed my mind about|deprecated|retired|decommissioned",
  'nicht|nicht mehr|kein|keine|keinen|keiner|keinem|nie|ohne|statt|anstatt|anstelle von|früher|alte|alten|alter|altes|verkauft|aufgegeben|abgeschafft|weg von|nichts mehr von|pas|plus|ne|sans|au lieu de|ancien|ancienne|aucun|aucune|jamais|ya no|no|sin|en vez de|antiguo|antigua|nunca|niet|geen|zonder|in plaats van|oude|non|senza|invece di',
);
/** After what is no longer so: `Friday was voted out`, `the old one is dead`. */
const AFTER = said(
  "is not|isn['’]t|are not|aren['’]t|was not|wasn['’]t|does not|doesn['’]t|do not|don['’]t|did not|didn['’]t|can ?not|can['’]t|has no|have no|has nothing|won['’]t|never|no longer|no more|any ?more|any longer|is gone|are gone|is dead|are dead|is over|are over|is history|in the past|is past|is closed|are closed|has closed|closed down|died|gave out|gave up the ghost|has left|quit|resigned|retired|moved out|moved away|moved on|has moved|was sold|were sold|is sold|was wiped|was deleted|is deleted|was removed|were removed|is removed|was dropped|was scrapped|was abolished|was replaced|were replaced|is replaced|has been \\p{L}+ed|have been \\p{L}+ed|was voted out|was voted down|was struck|was cancelled|is cancelled|was shut|is shut|was switched off|is switched off|is off|are off|ran out|expired|lapsed|ended|stopped|is ignored|is unused|is deprecated|is obsolete|is out|are out|went bust|was before|before that",
  "nicht mehr|ist weg|ist zu|ist tot|zugesperrt|geschlossen|abgewählt|abgeschafft|verkauft|vorbei|gibt es nicht|gibt['’]?s nicht|früher|n['’]est plus|n['’]a plus|ne .{2,14} plus|n['’]existe plus|c['’]est fini|fermé|ya no|está cerrado|está cerrada|se acabó|bestaat niet meer|niet meer|is weg|non c['’]è più",
);
const CLAUSE =
  /[.;:!?()]|,\s|\s(?:but|and|because|since|so|aber|und|weil|mais|et|pero|y|maar|en)\s|\s[–—-]\s/gu;
const REACH = { before: 34, after: 40 } as const;

/** How surely a text says of each of its terms that it is no longer so, or not so. */
export function rejectedIn(text: string, terms: readonly Term[]): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  const borders = [...text.matchAll(CLAUSE)].map(({ index }) => index);
  const add = (near: readonly Term[]): void => {
    for (const [at, { term }] of near.entries())
      found.set(term, Math.max(found.get(term) ?? 0, at === 0 ? 1 : at === 1 ? 0.8 : 0.6));
  };
  const telling = terms.filter(({ term, start }) => start >= 0 && !isLight(term));
  for (const match of text.matchAll(BEFORE)) {
    const start = match.index + match[0].length;
    const end = Math.min(borders.find((border) => border >= start) ?? text.length, start + REACH.before);
    add(telling.filter((one) => one.start >= start && one.start < end).slice(0, 3));
  }
  for (const match of text.matchAll(AFTER)) {
    const start = Math.max(
      borders.findLast((border) => border < match.index) ?? 0,
      match.index - REACH.after,
    );
    add(
      telling
        .filter((one) => one.start >= start && one.start < match.index)
        .slice(-3)
        .reverse(),
    );
  }
  return found;
}
