import type { Caller } from '@reverie/shared/accounts/caller';
import * as contract from '@reverie/shared/contract/sessions/session-export';
import { type Mount, Streamed } from '@reverie/shared/http/mount';
import { type ExportDeps, exportSession } from './export.service.ts';
import { resumeSession } from '../resume/resume.service.ts';

const TYPES: Readonly<Record<contract.ExportFormat, string>> = {
  md: 'text/markdown; charset=utf-8',
  html: 'text/html; charset=utf-8',
};

/** Routes that take a session elsewhere: into a file, or into an agent. */
export function sessionExportRoutes(mount: Mount<Caller>, deps: ExportDeps): void {
  mount(
    contract.exportSession,
    ({ params, query, caller }) =>
      new Streamed(exportSession(deps, caller, { ...params, ...query }), TYPES[query.format]),
  );
  mount(contract.resumeSession, ({ params, query, caller }) =>
    resumeSession(deps, caller, { ...params, ...query }),
  );
}
