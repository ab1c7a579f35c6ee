/** Words by which a text tells of one occasion rather than of how things are. */
const OCCASION =
  /(?:^|[^\p{L}])(?:again|today|tonight|yesterday|this (?:morning|afternoon|evening|time|week)|last (?:night|week|weekend)|once more|yet another|just now|for the \p{L}+ time|(?<!every )(?:second|third|fourth|fifth|\d(?:nd|rd|th)) (?:time|one|week|day)|in a row|wieder|erneut|schon wieder|heute|gestern|encore|aujourd['’]hui|hier)(?![\p{L}])/iu;

const PAST =
  /(?:^|[^\p{L}])(?:forgot|went|came|broke|fell|failed|wrote|was|were|had|did|didn['’]t|wasn['’]t|got|took|gave|saw|found|lost|made|said|told|met|ate|drove|ran|sat|slept|woke|paid|sent|spent|bought|brought|caught|felt|kept|heard|held|began|sang|threw|tore|won|red in|\p{L}+[^e\P{L}]ed)(?![\p{L}])/iu;
/** A text that begins so tells what somebody did, whatever else it says. */
const DID =
  /^["“(]?(?:\p{L}{2,12}: )?(?:finally |just |once more )?(?:forgot|went|came|broke|fell|failed|wrote|had|did|got|took|gave|saw|found|lost|left|met|ate|drove|ran|paid|sent|spent|bought|brought|felt|heard|correction|\p{L}{3,}[^e\P{L}]ed)(?![\p{L}-])(?! ?(?:by|at|in the \p{L}+ is))/iu;
/** Words of what holds, and not of what happened. */
const HOLDS =
  /(?:^|[^\p{L}])(?:is|are|am|has|have|wants?|prefers?|never|always|must|may|can|can['’]t|cannot|should|shall|needs?|don['’]t|doesn['’]t|likes?|hates?|loves?|lives?|keeps?|goes|go|comes|closes?|opens?|takes?|stands?|hangs?|lies|sends?|uses?|use|works?|gets?|every|each|usually|when|if|size|number|code|before \p{L}+ing)(?![\p{L}])/iu;

/** Whether a text says of itself that it tells of one occasion. */
export function saysOnce(text: string): boolean {
  return OCCASION.test(text);
}

/** Whether a text tells of what happened at one time: what two such texts of two days tell happened twice. */
export function tellsEvent(text: string): boolean {
  return DID.test(text) || (PAST.test(text) && !HOLDS.test(text));
}
