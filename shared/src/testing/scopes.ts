import type { Route } from '../contract/route.ts';

/** The scope that each route needs, written down a second time: a test that asks the contract would believe a wrong one. */
const SCOPES: Readonly<Record<Route['scope'], string>> = {
  public: `
    auth_bot_signup auth_confirm auth_confirm_button healthz identity tickets_redeem
  `,
  read: `
    agent_hook agent_hooks agent_statusline anchors_folder attachments_get attachments_list dream_health dream_insight dream_insights dream_jobs dream_sheet dream_status events inbox_list
    keys_current knowledge_facts memory_ask memory_attachments memory_daily memory_get memory_graph memory_grep memory_history memory_keys memory_links memory_list
    memory_list_short memory_search memory_search_get memory_search_short memory_trash_list namespaces
    namespaces_members recall_eval recall_last_eval recall_list recall_record recall_verdict sessions_entries
    sessions_export sessions_formats sessions_get sessions_handover sessions_list sessions_notes sessions_resume
    sessions_search sessions_sources status sync_conflicts sync_devices sync_status today usage
  `,
  write: `
    anchors_read dead_letters_list dead_letters_replay deliveries_get deliveries_list deliveries_replay dream_cancel
    dream_insight_accept dream_insight_reject dream_insight_snooze dream_insight_undo dream_insights_accept
    dream_insights_reject dream_start inbox_ack inbox_send insight_propose memory_clear
    memory_delete memory_history_restore memory_property memory_rename memory_set memory_set_short memory_store_batch memory_tags
    memory_trash memory_trash_empty memory_trash_restore sessions_add_entries sessions_change sessions_create
    sessions_delete sessions_end_one sync_conflicts_dismiss sync_conflicts_restore sync_trigger webhooks_delete
    webhooks_get webhooks_list webhooks_register webhooks_test webhooks_update
  `,
  owner: `
    accounts_adopt accounts_delete accounts_get accounts_list accounts_update backup dream_hold folders_add folders_attachments
    folders_list folders_prune folders_remove import import_prune import_sources keys_create keys_list keys_revoke keys_rotate
    metrics models_examine models_examine_stop models_found models_off models_pull models_pull_stop models_read models_state
    models_sheets models_use namespaces_invites namespaces_invites_revoke namespaces_join namespaces_leave namespaces_members_change
    namespaces_members_remove namespaces_change namespaces_owner namespaces_share outbox_get outbox_list sessions_end settings_change settings_get
    sessions_invite_revoke sessions_join sessions_participant_remove sessions_preview sessions_share sessions_share_approve sessions_shared
    sessions_source_set sessions_unshare sync_devices_approve sync_devices_remove sync_link sync_link_change sync_lost sync_pair
    sync_move sync_pause sync_rebuild sync_recover sync_unlink tickets_create
  `,
};

/** What each route's id needs, by hand. */
export const scopeOf: ReadonlyMap<string, Route['scope']> = new Map(
  (['public', 'read', 'write', 'owner'] as const).flatMap((scope) =>
    SCOPES[scope]
      .trim()
      .split(/\s+/)
      .map((id) => [id, scope] as const),
  ),
);
