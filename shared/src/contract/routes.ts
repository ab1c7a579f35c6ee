import * as anchors from './anchors.ts';
import * as ask from './ask.ts';
import * as daily from './daily.ts';
import * as dreamHold from './dream-hold.ts';
import * as dreams from './dreams.ts';
import * as accounts from './accounts.ts';
import * as attachments from './attachments.ts';
import * as conflicts from './conflicts.ts';
import * as deliveries from './deliveries.ts';
import * as devices from './devices.ts';
import * as events from './events.ts';
import * as folders from './folders.ts';
import * as graph from './graph.ts';
import * as grep from './grep.ts';
import * as history from './history.ts';
import * as hooks from './hooks.ts';
import * as inbox from './inbox.ts';
import * as keys from './keys.ts';
import * as knowledge from './knowledge.ts';
import * as links from './links.ts';
import * as lost from './lost.ts';
import * as memoryKeys from './memory-keys.ts';
import * as memories from './memories.ts';
import * as models from './models.ts';
import * as naming from './naming.ts';
import * as properties from './properties.ts';
import * as portable from './portable.ts';
import * as recalls from './recalls.ts';
import type { Route } from './route.ts';
import * as search from './search.ts';
import * as sessionExport from './session-export.ts';
import * as sessionSharing from './session-sharing.ts';
import * as sessionSources from './session-sources.ts';
import * as sessions from './sessions.ts';
import * as settings from './settings.ts';
import * as sharing from './sharing.ts';
import * as sync from './sync.ts';
import * as system from './system.ts';
import * as today from './today.ts';
import * as trash from './trash.ts';
import * as webhooks from './webhooks.ts';

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
