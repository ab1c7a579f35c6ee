import type { Caller } from '@reverie/shared/accounts/caller';
import { listSheets } from '@reverie/shared/contract/system/models';
import type { Mount } from '@reverie/shared/http/mount';
import type { Sheets } from './sheets.ts';

export function sheetRoutes(mount: Mount<Caller>, sheets: Pick<Sheets, 'page'>): void {
  mount(listSheets, ({ caller, query }) => sheets.page(caller.account, query));
}
