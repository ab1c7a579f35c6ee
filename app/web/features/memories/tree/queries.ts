import { memoryKeys } from '@reverie/shared/contract/memories/memory-keys';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../platform/daemon/api.ts';
import { inLocale } from '../../../platform/locale.ts';
import { DELIMITER, type FolderContent, inOrder } from './rows.ts';

/** Keys of a folder that are fetched at once, and how many of one anybody would scroll through. */
const KEYS = 10_000;
const SCROLLED = 50_000;
const byName = inLocale((locale) => new Intl.Collator(locale, { numeric: true }));

/** What stands in a folder of a namespace: `Projects/`; the empty one is the top. */
export function folderQuery(namespace: string, folder: string) {
  return queryOptions({
    queryKey: ['memories', namespace, 'folder', folder],
    queryFn: async ({ signal }): Promise<FolderContent> => {
      const folders: string[] = [];
      const keys: string[] = [];
      let after: string | null | undefined;
      while (after !== null && folders.length + keys.length < SCROLLED) {
        const query = {
          namespace,
          delimiter: DELIMITER,
          limit: KEYS,
          ...(folder !== '' && { prefix: folder }),
          ...(after !== undefined && { after }),
        };
        const page = await call(memoryKeys, { query }, { signal });
        folders.push(...(page.folders ?? []));
        keys.push(...page.keys);
        after = page.next;
      }
      return {
        path: folder,
        folders: inOrder(folders, byName()),
        keys: inOrder(keys, byName()),
        isCut: after !== null,
      };
    },
  });
}
