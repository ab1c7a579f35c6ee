/** Whether a text tells what is so, or what happened: the shapes of its verbs, English mostly. */
const IS =
  /(?<!\p{L})(?:is|are|isn['’]t|aren['’]t|am|i['’]m|we['’]re|it['’]s|he['’]s|she['’]s|they['’]re|has|have|hasn['’]t|haven['’]t|does|do|doesn['’]t|don['’]t|can|can['’]t|cannot|may|must|lives?|works?|runs?|uses?|use|needs?|wants?|gets?|takes?|costs?|starts?|begins?|ends?|opens?|closes?|goes|comes?|keeps?|holds?|stays?|sits?|stands?|lies|hangs?|likes?|loves?|hates?|prefers?|plays?|sings?|eats?|drinks?|drives?|speaks?|owns?|leads?|teaches|belongs?|listens?|answers?|requires?|lasts?|meets?|rehearses?|sleeps?|pays?|sends?|stores?|handles?|maintains?|manages?|reports?|wears?|ist|sind|hat|haben|wohnt|arbeitet|kostet|beginnt|gilt|est|sont|habite|travaille|coûte|es|son|vive|trabaja|cuesta)(?!\p{L})/giu;
const WAS =
  /(?<!\p{L})(?:was|were|wasn['’]t|weren['’]t|did|didn['’]t|had|went|came|got|took|gave|said|told|made|found|saw|met|bought|brought|sold|paid|sent|wrote|read|ran|lost|won|left|felt|kept|slept|woke|ate|drank|drove|flew|fell|broke|threw|caught|taught|thought|began|spent|stood|sat|lay|rang|sang|swam|wore|won|put|cut|set|war|waren|hatte|hatten|kam|ging|habe .{1,40} ge\p{L}+|a été|étaient|était|\p{Ll}{2,}ed)(?!\p{L})/giu;

export interface Tense {
  readonly present: number;
  readonly past: number;
}

export function tenseOf(text: string): Tense {
  return {
    present: Math.min(2, text.match(IS)?.length ?? 0) / 2,
    past: Math.min(2, text.match(WAS)?.length ?? 0) / 2,
  };
}
