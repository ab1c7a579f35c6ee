import type { AccountId } from '@reverie/shared/accounts/caller';
import type { ReadDb } from '../../../db/open-store.ts';
import { foldText } from '../../../language/words/words.ts';
import { bodiesHaving, memoriesOfChunks, memoriesSaying } from './candidates.store.ts';
import { phraseTerm } from '../query/terms.ts';

/** Ids of the memories of an account that say each of some runs of words, whatever their endings, accents and punctuation. */
export function sayingAll(db: ReadDb, account: AccountId, exact: readonly string[]): readonly number[] {
  const [first = [], ...others] = exact.map((words) => saying(db, account, words));
  const sets = others.map((ids) => new Set(ids));
  return first.filter((id) => sets.every((ids) => ids.has(id)));
}

/**
 * Ids of the memories that say any of the words that a query leaves out; but not of one that writes the word with its dash: who searches
 * for `java -jar` looks for a command.
 */
export function sayingAny(db: ReadDb, account: AccountId, without: readonly string[]): readonly number[] {
  return [
    ...new Set(
      without.flatMap((words) => {
        const written = new Set(/\s/u.test(words) ? [] : writing(db, account, `-${words}`));
        return saying(db, account, words).filter((id) => !written.has(id));
      }),
    ),
  ];
}

function saying(db: ReadDb, account: AccountId, words: string): readonly number[] {
  const term = phraseTerm(words);
  return term ? memoriesSaying(db, account, `body : ${term.match}`) : [];
}

/** Ids of the memories that have a piece of text as an option is written: nothing but a blank, a bracket or a quotation mark before it. */
function writing(db: ReadDb, account: AccountId, piece: string): readonly number[] {
  const term = phraseTerm(piece);
  if (!term) return [];
  const folded = foldText(piece).toLowerCase();
  const bodies = bodiesHaving(db, account, { match: `body : ${term.match}`, piece: folded });
  const chunks = bodies.filter(({ body }) => hasOption(body.toLowerCase(), folded)).map(({ id }) => id);
  return [...memoriesOfChunks(db, chunks).values()];
}

const BEFORE = /[\s[({"'`]/u;
const LETTER = /[\p{L}\p{N}]/u;

/** Whether an option stands in a text by itself. */
function hasOption(text: string, option: string): boolean {
  for (let at = text.indexOf(option); at >= 0; at = text.indexOf(option, at + 1)) {
    const [before = ' ', after = ' '] = [text[at - 1], text[at + option.length]];
    if (BEFORE.test(before) && !LETTER.test(after)) return true;
  }
  return false;
}
