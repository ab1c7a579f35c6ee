/**
 * Types of records that Claude Code keeps for itself: nothing of them was said or done. Seen in its logs up to 2.1.332; the vendor
 * documents none, so the list is that of what others met (agents-2026-11.md 3, and public readers of these logs).
 */
const BOOKKEEPING: ReadonlySet<string> = new Set([
  'agent-color',
  'agent-setting',
  'api-request',
  'api-request-blob',
  'api-request-shape',
  'artifact-autoreact-ledger',
  'artifact-comment-monitor',
  'atis-latch',
  'attribution-snapshot',
  'bridge-session',
  'content-replacement',
  'cost-state',
  'file-history-delta',
  'file-history-snapshot',
  'fork-context-ref',
  'frame-link',
  'history-suppression',
  'last-prompt',
  'marble-origami-commit',
  'marble-origami-snapshot',
  'mode',
  'permission-mode',
  'pr-link',
  'relocated',
  'result',
  'started',
  'tag',
  'tools-used',
  'turn_duration',
]);

/** Subtypes of `system` records that say nothing to a reader of the session. */
const SYSTEM_BOOKKEEPING: ReadonlySet<string> = new Set([
  'api_error',
  'api_metrics',
  'agents_killed',
  'bridge_status',
  'file_snapshot',
  'informational',
  'init',
  'memory_saved',
  'microcompact_boundary',
  'permission_retry',
  'scheduled_task_fire',
  'status',
  'stop_hook_summary',
  'thinking',
  'turn_duration',
]);

/** Tells whether records of this type are known to say nothing. */
export function isBookkeeping(type: string): boolean {
  return BOOKKEEPING.has(type);
}

/** Tells whether `system` records of this subtype are known to say nothing. */
export function isSystemBookkeeping(subtype: string): boolean {
  return SYSTEM_BOOKKEEPING.has(subtype);
}
