import type { Caller } from '@reverie/shared/accounts/caller';
import * as contract from '@reverie/shared/contract/accounts/accounts';
import { Problem } from '@reverie/shared/contract/problems';
import type { Mount } from '@reverie/shared/http/mount';
import type { MailOutbox, WaitingMail } from '../../platform/mail/mail-outbox.ts';
import {
  accountOf,
  type AccountsDeps,
  listAccounts,
  ofMachine,
  removeAccount,
  setTier,
  showAccount,
  usageOf,
} from './accounts.service.ts';
import { adoptMemories, type AdoptedMemories } from './adopt.service.ts';
import { linkOf } from './signup/confirmation-mail.ts';

export interface AccountRouteDeps extends AccountsDeps {
  memories: AdoptedMemories;
  outbox: Pick<MailOutbox, 'list' | 'read'>;
  canSend: boolean;
}

/** The machine's owner looks after the accounts of agents; everybody sees their own usage. */
export function accountRoutes(mount: Mount<Caller>, deps: AccountRouteDeps): void {
  mount(contract.usage, ({ caller }) => usageOf(deps, caller.account));

  mount(contract.listAccounts, ({ caller }) => {
    ofMachine(deps, caller);
    return { accounts: listAccounts(deps) };
  });
  mount(contract.getAccount, ({ params, caller }) => {
    ofMachine(deps, caller);
    return showAccount(deps, params.id);
  });
  mount(contract.updateAccount, ({ params, body, caller }) => {
    ofMachine(deps, caller);
    return setTier(deps, params.id, body.tier);
  });
  mount(contract.deleteAccount, ({ params, caller }) => {
    ofMachine(deps, caller);
    removeAccount(deps, accountOf(deps, params.id));
    return { success: true as const, id: params.id };
  });
  mount(contract.adoptMemories, async ({ params, body, caller }) => {
    ofMachine(deps, caller);
    const from = accountOf(deps, params.id);
    if (from.id === caller.key.account)
      throw new Problem('conflict', 'These memories are in this account already');
    const done = await adoptMemories(deps, {
      from,
      into: caller.key.account,
      actor: { kind: 'key', id: caller.key.id },
      wanted: body,
    });
    return { success: true as const, dry_run: body.dry_run, ...done };
  });

  mount(contract.listOutbox, ({ caller }) => {
    ofMachine(deps, caller);
    const mails = deps.outbox.list().flatMap((waiting) => toMail(deps, waiting) ?? []);
    return { transport: deps.canSend ? ('smtp' as const) : ('files' as const), mails };
  });
  mount(contract.getMail, ({ params, caller }) => {
    ofMachine(deps, caller);
    const found = deps.outbox.read(params.id);
    const mail = found && toMail(deps, found.waiting);
    if (!mail) throw new Problem('mail_not_found', `There is no e-mail ${JSON.stringify(params.id)}`);
    return { ...mail, eml: found.raw.toString('utf8'), link: linkOf(found.raw) ?? null };
  });
}

/** A mail as the contract shows it; its id is that of the account that it is about. */
function toMail(deps: AccountRouteDeps, waiting: WaitingMail): contract.Mail | undefined {
  const raw = deps.outbox.read(waiting.id)?.raw.toString('latin1') ?? '';
  const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(raw)?.[1]?.trim() ?? '';
  return {
    id: waiting.id,
    account: waiting.id,
    to: header('To'),
    subject: header('Subject'),
    created_at: new Date(waiting.createdAt).toISOString(),
    attempts: waiting.attempts,
    last_error: waiting.lastError,
    next_attempt_at: waiting.nextAt === null ? null : new Date(waiting.nextAt).toISOString(),
    file: waiting.file,
  };
}
