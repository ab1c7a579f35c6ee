import * as anchors from './memories/anchors.ts';
import * as ask from './search/ask.ts';
import * as daily from './memories/daily.ts';
import * as dreamHold from './dreams/dream-hold.ts';
import * as dreams from './dreams/dreams.ts';
import * as accounts from './accounts/accounts.ts';
import * as attachments from './memories/attachments.ts';
import * as conflicts from './sync/conflicts.ts';
import * as deliveries from './events/deliveries.ts';
import * as devices from './sync/devices.ts';
import * as events from './events/events.ts';
import * as folders from './memories/folders.ts';
import * as graph from './search/graph.ts';
import * as grep from './search/grep.ts';
import * as history from './memories/history.ts';
import * as hooks from './agents/hooks.ts';
import * as inbox from './events/inbox.ts';
import * as keys from './accounts/keys.ts';
import * as knowledge from './search/knowledge.ts';
import * as links from './memories/links.ts';
import * as lost from './sync/lost.ts';
import * as memoryKeys from './memories/memory-keys.ts';
import * as memories from './memories/memories.ts';
import * as models from './system/models.ts';
import * as naming from './memories/naming.ts';
import * as properties from './memories/properties.ts';
import * as portable from './memories/portable.ts';
import * as recalls from './agents/recalls.ts';
import type { Route } from './route.ts';
import * as search from './search/search.ts';
import * as sessionExport from './sessions/session-export.ts';
import * as sessionSharing from './sessions/session-sharing.ts';
import * as sessionSources from './sessions/session-sources.ts';
import * as sessions from './sessions/sessions.ts';
import * as settings from './system/settings.ts';
import * as sharing from './sync/sharing.ts';
import * as sync from './sync/sync.ts';
import * as system from './system/system.ts';
import * as today from './memories/today.ts';
import * as trash from './memories/trash.ts';
import * as webhooks from './events/webhooks.ts';

function isRoute(exported: unknown): exported is Route {
  return (
    typeof exported === 'object' &&
    exported !== null &&
    'id' in exported &&
    'path' in exported &&
    'scope' in exported
  );
}

/** The routes of a noun in the order of their names, which does not depend on how many modules it has. */
function routesOf(noun: Readonly<Record<string, unknown>>): Route[] {
  return Object.keys(noun)
    .sort()
    .map((name) => noun[name])
    .filter(isRoute);
}

/** What comes first in a reference: by name it would begin with `clear`. */
const first: readonly Route[] = [
  memories.setMemory,
  memories.storeBatch,
  memories.getMemory,
  search.searchMemories,
  ask.askMemory,
  memories.listMemories,
  memories.listNamespaces,
  memories.deleteMemory,
];

/** Every route of the interface, in the order of the OpenAPI document. */
export const routes: readonly Route[] = [
  ...new Set([
    ...first,
    ...[
      { ...memories, ...memoryKeys, ...grep, ...search, ...history, ...naming, ...properties, ...portable },
      folders,
      trash,
      ask,
      knowledge,
      graph,
      links,
      daily,
      attachments,
      { ...dreams, ...dreamHold },
      events,
      { ...webhooks, ...deliveries },
      inbox,
      anchors,
      hooks,
      recalls,
      { ...sessions, ...sessionSources, ...sessionSharing, ...sessionExport },
      keys,
      accounts,
      sync,
      devices,
      settings,
      sharing,
      conflicts,
      lost,
      models,
      today,
      system,
    ].flatMap(routesOf),
  ]),
];
