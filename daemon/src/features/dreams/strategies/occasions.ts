/** Words by which a text tells of one occasion rather than of how things are. */
const OCCASION =
  /(?:^|[^\p{L}])(?:again|today|tonight|yesterday|this (?:morning|afternoon|evening|time|week)|last (?:night|week|weekend)|once more|yet another|just now|for the \p{L}+ time|(?:second|third|fourth|fifth|\d(?:nd|rd|th)) (?:time|one|week|day)|in a row|wieder|erneut|schon wieder|heute|gestern|encore|aujourd['’]hui|hier)(?![\p{L}])/iu;

/** Whether a text says of itself that it tells of one occasion. */
export function tellsOccasion(text: string): boolean {
  return OCCASION.test(text);
}
