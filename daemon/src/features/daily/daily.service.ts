import type { AccountId } from '@reverie/shared/accounts/caller';
import type { dailyNote } from '@reverie/shared/contract/memories/daily';
import { Key } from '@reverie/shared/contract/fields';
import type { Parsed, Reply } from '@reverie/shared/contract/route';
import type { Store } from '../../db/open-store.ts';
import { dayOfKey } from '@reverie/memory-formats/days/days-in-names';
import type { Clock } from '../../platform/clock.ts';
import {
  type DailyNotes,
  dailyNotesOf,
  filledTemplate,
  formOfKeys,
  plainDailyNotes,
} from '@reverie/memory-formats/notes/daily-notes';
import { hasMemory, newestNoted, valueAt } from './daily.store.ts';

export interface DailyDeps {
  store: Store;
  clock: Pick<Clock, 'now'>;
  /** The folders whose notes are in a namespace of an account. */
  foldersOf: (account: AccountId, namespace: string) => readonly string[];
}

/** Newest memories that are looked at, and those called by a day among them. */
const LOOKED_AT = 5_000;
const NAMED = 100;

/** The key of the note of a day, in the form that its namespace has for it, whether it is there, and with what it begins where it is not. */
export function dailyNoteOf(
  deps: DailyDeps,
  account: AccountId,
  { day, namespace }: Parsed<typeof dailyNote>['query'],
): Reply<typeof dailyNote> {
  const on = new Date(day);
  const form = formsOf(deps, account, namespace).find(({ keyOf }) => isUsable(keyOf(on))) ?? plainDailyNotes;
  const key = form.keyOf(on);
  return deps.store.read((db) => {
    const found = hasMemory(db, { account, namespace, key });
    const template =
      found || form.template === undefined
        ? ''
        : (valueAt(db, { account, namespace, key: form.template }) ?? '');
    const now = new Date(deps.clock.now());
    return {
      key,
      namespace,
      day,
      found,
      outline: form.isOutline,
      template: filledTemplate(template, { key, day: on, now }),
    };
  });
}

/** Settings may say anything. */
function isUsable(key: string): boolean {
  return Key.safeParse(key).success && !key.split('/').some((part) => part === '' || /^\.+$/u.test(part));
}

function formsOf({ store, foldersOf }: DailyDeps, account: AccountId, namespace: string): DailyNotes[] {
  const said = foldersOf(account, namespace).flatMap((root) => dailyNotesOf(root) ?? []);
  if (said.length > 0) return said;
  const noted = store
    .read((db) => newestNoted(db, { account, namespace, limit: LOOKED_AT }))
    .filter(({ key }) => dayOfKey(key) !== undefined)
    .slice(0, NAMED);
  const keyOf = formOfKeys(noted.map(({ key }) => key));
  return keyOf ? [{ keyOf, isOutline: noted.some(({ format }) => format === 'logseq') }] : [];
}
