/** A secret in a text. */
export interface Found {
  /** A stable word: findings are counted by it. */
  rule: string;
  start: number;
  end: number;
  /** How many characters it has at the least: where lines were cut, it surely goes on up to there. */
  least: number;
}
