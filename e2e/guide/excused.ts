/** Commands of the pages that no test can run as they stand there, and why; each as it is written. */
export const EXCUSED: Readonly<Record<string, string>> = {
  'npm ci': 'installs from the registry; whoever runs the tests has run it',
  'npm start': 'runs until it is stopped; daemon/src/cli/end-to-end.test.ts starts it',
  'npm run desktop': 'fetches Electron; e2e/desktop drives the app where it is there',
  'npm run relay': 'runs until it is stopped; the page of devices runs against such a relay',
  'npm run relay -- admin accounts':
    'needs the database of a relay: cloud/src/admin/admin.test.ts runs it beside one',
  'npm run relay -- admin disable anna@example.org':
    'needs the database of a relay: cloud/src/admin/admin.test.ts runs it beside one',
  'npm run relay -- admin audit':
    'needs the database of a relay: cloud/src/admin/admin.test.ts runs it beside one',
  'npm run relay -- admin outbox link 1':
    'needs the database of a relay: cloud/src/admin/admin.test.ts runs it beside one',
  'npm run build:client': 'e2e/journeys/agents-page.test.ts runs it, and programs with what it makes',
  'npx reverie open': 'opens a browser; `open --print` is run',
  'reverie start --background':
    'would be a second daemon on the home; daemon/src/cli/background.test.ts runs it',
  'reverie folders prune ~/notes':
    'takes a folder most of whose files are gone; daemon/src/features/folders/folders.test.ts does it',
  'reverie models use claude-code':
    'needs the agent and its login; daemon/src/features/models/agents.test.ts uses a made one, npm run test:agents the real ones',
  'reverie models use opus --server agent:claude-code --for dreams':
    'needs the agent and its login; daemon/src/features/models/agents.test.ts names a model',
  'reverie models examine claude-code':
    'needs the agent and its login, which pays for it; daemon/src/features/models/agents.test.ts holds its consent',
  'reverie dream snooze INSIGHT 7d':
    'counts from now, which is over by the clock of the daemon here; daemon/src/cli/dream.test.ts runs it',
  'reverie link --move https://relay2.example.org':
    'needs the relay of before at another address; e2e/journeys/relay-replaced.test.ts moves one',
  'reverie link https://other.example.org --anew --email you@example.org':
    'needs another relay; e2e/journeys/relay-replaced.test.ts leaves one for it',
  'reverie link https://relay.example.org --email you@example.org --recover':
    'needs a mail and somebody who reads it; daemon/src/sync/people/recovering.test.ts does it',
  'reverie stop': 'ends the process of the test; daemon/src/cli/end-to-end.test.ts runs it',
  'RELAY_DOMAIN=relay.example.org docker compose -f cloud/compose.yaml up -d': 'needs Docker and a domain',
};
