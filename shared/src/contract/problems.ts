/**
 * Every failure a caller can act on: its stable code, its HTTP status and its title (RFC 9457).
 * Anything that is not in this table is a bug and answers 500 `internal`.
 */
export const problems = {
  invalid_request: { status: 400, title: 'The request is not valid' },
  invalid_json: { status: 400, title: 'The body is not valid JSON' },
  invalid_host: { status: 421, title: 'This host name is not served here' },
  foreign_origin: { status: 403, title: 'Pages of other origins may not call this server' },
  unauthorized: { status: 401, title: 'A valid API key is needed' },
  forbidden_scope: { status: 403, title: 'The key may not do this' },
  forbidden_role: { status: 403, title: 'The role in this namespace does not allow it' },
  account_disabled: { status: 403, title: 'This account was disabled' },
  signup_closed: { status: 403, title: 'Signing up is turned off' },
  not_found: { status: 404, title: 'Nothing is served at this address' },
  memory_not_found: { status: 404, title: 'No such memory' },
  version_not_found: { status: 404, title: 'No such version' },
  key_not_found: { status: 404, title: 'No such API key' },
  account_not_found: { status: 404, title: 'No such account' },
  token_not_found: { status: 404, title: 'No such confirmation' },
  mail_not_found: { status: 404, title: 'No such e-mail' },
  webhook_not_found: { status: 404, title: 'No such webhook' },
  delivery_not_found: { status: 404, title: 'No such delivery' },
  dream_not_found: { status: 404, title: 'No such dream' },
  insight_not_found: { status: 404, title: 'No such insight' },
  message_not_found: { status: 404, title: 'No such message' },
  recall_not_found: { status: 404, title: 'No such recall' },
  device_not_found: { status: 404, title: 'No such device' },
  member_not_found: { status: 404, title: 'No such member' },
  conflict_not_found: { status: 404, title: 'No such conflict' },
  model_not_found: { status: 404, title: 'The model server has no such model' },
  session_not_found: { status: 404, title: 'No such session' },
  entry_not_found: { status: 404, title: 'No such entry in this session' },
  folder_not_found: { status: 404, title: 'No such folder is followed' },
  namespace_not_synced: { status: 404, title: 'This namespace is not synced' },
  method_not_allowed: { status: 405, title: 'This method is not served at this address' },
  conflict: { status: 409, title: 'The request is in conflict with what is stored' },
  consent_needed: { status: 409, title: 'A person has to agree first' },
  not_linked: { status: 409, title: 'This machine is not linked to a relay' },
  already_linked: { status: 409, title: 'This machine is linked to a relay already' },
  gone: { status: 410, title: 'This is no longer valid' },
  pairing_failed: { status: 410, title: 'The code does not let this device in' },
  invite_invalid: { status: 410, title: 'The invite is not valid' },
  token_expired: { status: 410, title: 'The time to confirm is over' },
  too_large: { status: 413, title: 'The request is too large' },
  storage_exceeded: { status: 413, title: 'The account may hold no more' },
  unsupported_media_type: { status: 415, title: 'The body has to be JSON' },
  rate_limited: { status: 429, title: 'Too many requests' },
  quota_exceeded: { status: 429, title: 'The quota is used up' },
  internal: { status: 500, title: 'Reverie failed' },
  storage_failed: { status: 500, title: 'The database could not be written' },
  storage_busy: { status: 503, title: 'Another program holds the database' },
  relay_refused: { status: 502, title: 'The relay refused' },
  model_unreachable: { status: 503, title: 'The model server does not answer' },
  relay_unreachable: { status: 503, title: 'The relay does not answer' },
  unavailable: { status: 503, title: 'Reverie does not answer just now' },
  disk_full: { status: 507, title: 'The disk is full' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ProblemCode = keyof typeof problems;

/** One wrong field: `path` as in `items.3.value`, and what is wrong with it. */
export interface FieldError {
  path: string;
  message: string;
}

/** A failure with a code of the table above; thrown by services, turned into a reply by `shared/http`. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly errors: readonly FieldError[] | undefined;
  /** Further response headers, such as `Allow` or `Retry-After`. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ProblemCode,
    detail: string,
    more: { errors?: readonly FieldError[]; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(detail, { cause: more.cause });
    this.name = 'Problem';
    this.code = code;
    this.errors = more.errors;
    this.headers = more.headers ?? {};
  }

  get status(): number {
    return problems[this.code].status;
  }
}
