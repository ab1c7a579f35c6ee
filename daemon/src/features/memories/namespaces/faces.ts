import type { AccountId } from '@reverie/shared/accounts/caller';
import { type NamespaceColour, namespaceColours } from '@reverie/shared/contract/memories/memories';
import type { Store } from '../../../db/open-store.ts';
import { type ChosenFace, findFace, saveFace } from './faces.store.ts';

/** Changes how a namespace looks; what is undefined stays, null takes the choice back. Answers what is chosen then. */
export function changeFace(
  store: Store,
  account: AccountId,
  asked: {
    namespace: string;
    colour?: ChosenFace['colour'] | undefined;
    sign?: ChosenFace['sign'] | undefined;
  },
): ChosenFace {
  const { namespace } = asked;
  return store.write((db) => {
    const before = findFace(db, account, namespace);
    const { colour = before.colour, sign = before.sign } = asked;
    saveFace(db, account, { namespace, colour, sign });
    return { colour, sign };
  });
}

/**
 * The colour of each namespace: the chosen one, else that of its number where nobody has it yet, else the one that fewest have. So ten
 * differ, and one that comes, goes or is chosen changes at most those that it meets.
 */
export function coloursOf(
  made: readonly { id: number; name: string }[],
  chosen: ReadonlyMap<string, ChosenFace>,
): ReadonlyMap<string, NamespaceColour> {
  const uses = new Map<NamespaceColour, number>(namespaceColours.map((colour) => [colour, 0]));
  const colours = new Map<string, NamespaceColour>();
  const give = (name: string, colour: NamespaceColour) => {
    colours.set(name, colour);
    uses.set(colour, (uses.get(colour) ?? 0) + 1);
  };
  for (const { name } of made) {
    const colour = chosen.get(name)?.colour;
    if (colour) give(name, colour);
  }
  for (const { id, name } of made.toSorted((a, b) => a.id - b.id)) {
    if (colours.has(name)) continue;
    const least = Math.min(...uses.values());
    const own = namespaceColours[id % namespaceColours.length] ?? namespaceColours[0];
    give(
      name,
      uses.get(own) === least ? own : (namespaceColours.find((one) => uses.get(one) === least) ?? own),
    );
  }
  return colours;
}
