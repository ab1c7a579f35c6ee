// The laws of imports of ARCHITECTURE.md. `scripts/check.ts` also refuses a run that saw no modules.
module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'a-store-is-a-leaf',
      severity: 'error',
      from: { path: '\\.store\\.ts$' },
      to: { path: '\\.(service|routes)\\.ts$' },
    },
    {
      name: 'a-service-knows-no-routes',
      severity: 'error',
      from: { path: '\\.service\\.ts$' },
      to: { path: '\\.routes\\.ts$' },
    },
    {
      name: 'routes-ask-a-service',
      severity: 'error',
      from: { path: '\\.routes\\.ts$' },
      to: { path: '\\.store\\.ts$' },
    },
    {
      name: 'features-meet-in-compose-only',
      severity: 'error',
      from: { path: '^daemon/src/features/([^/]+)/', pathNot: '\\.test\\.ts$' },
      to: { path: '^daemon/src/features/', pathNot: '^daemon/src/features/$1/' },
    },
    {
      name: 'features-know-no-composition',
      severity: 'error',
      from: { path: '^daemon/src/features/', pathNot: '\\.test\\.ts$' },
      to: { path: '^daemon/src/(app|main|run|testing)\\.ts$|^daemon/src/(compose|sync|cli)/' },
    },
    {
      name: 'platform-knows-no-feature',
      severity: 'error',
      from: {
        path: '^daemon/src/(platform|db|models|config|language|portable|mcp)/',
        pathNot: '\\.test\\.ts$',
      },
      to: { path: '^daemon/src/(features|cli|sync|compose)/|^daemon/src/[^/]+\\.ts$' },
    },
    {
      name: 'cli-talks-to-the-daemon-by-its-api',
      severity: 'error',
      from: { path: '^daemon/src/cli/', pathNot: '\\.test\\.ts$' },
      to: { path: '^daemon/src/features/' },
    },
    {
      name: 'shared-knows-nobody',
      severity: 'error',
      from: { path: '^shared/', pathNot: '\\.test\\.ts$' },
      to: { path: '^(daemon|app|cloud|e2e|bench)/' },
    },
    {
      name: 'a-library-knows-nobody',
      severity: 'error',
      from: { path: '^shared/(session-logs|agent-connect)/' },
      to: {
        path: '^(daemon|app|cloud|e2e|bench|scripts|shared)/',
        // What its tests have in common with those of others, which `products-know-no-tests` keeps from the rest of it.
        pathNot: '^shared/($1|src/testing)/',
      },
    },
    {
      name: 'contract-and-client-run-in-a-page',
      severity: 'error',
      from: { path: '^shared/src/(contract|client|sdk)/', pathNot: '\\.test\\.ts$' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'cloud-knows-little-of-shared-and-nothing-of-the-daemon',
      severity: 'error',
      from: { path: '^cloud/' },
      to: { path: '^(daemon|app)/|^shared/(?!src/)|^shared/src/(client|document)/' },
    },
    {
      name: 'the-page-knows-client-and-contract',
      severity: 'error',
      from: { path: '^app/web/' },
      to: { path: '^(daemon|cloud|e2e|bench|app/electron)/|^shared/(?!src/(client|contract|testing)/)' },
    },
    {
      name: 'the-app-in-a-chat-calls-through-its-host',
      severity: 'error',
      from: { path: '^app/web/mcp/' },
      to: {
        path: '^shared/src/client/|^app/web/(platform/daemon/(api|session|live)\\.ts|features/.*queries\\.ts)',
      },
    },
    {
      name: 'ui-knows-no-feature',
      severity: 'error',
      from: { path: '^app/web/(ui|platform)/', pathNot: '\\.test\\.tsx?$' },
      to: { path: '^app/web/features/' },
    },
    {
      name: 'one-file-imports-electron',
      severity: 'error',
      from: { pathNot: '^app/electron/electron\\.ts$' },
      to: { path: '^node_modules/electron/' },
    },
    {
      name: 'the-app-knows-little-of-the-daemon',
      severity: 'error',
      from: { path: '^app/electron/', pathNot: '\\.test\\.ts$' },
      to: {
        path: '^(daemon|cloud|e2e|bench|app/web)/',
        pathNot:
          '^daemon/src/(platform/home/(home|daemon-file|background-file)|cli/(connection|event-sentence))\\.ts$',
      },
    },
    {
      name: 'products-know-no-tests',
      severity: 'error',
      from: { pathNot: '\\.test\\.tsx?$|^e2e/|^bench/|/testing(/|\\.ts$)' },
      to: { path: '\\.test\\.tsx?$|/testing/|^daemon/src/testing\\.ts$' },
    },
    {
      name: 'products-know-no-scripts',
      severity: 'error',
      from: { pathNot: '\\.test\\.tsx?$|^(scripts|bench|e2e)/' },
      to: { path: '^scripts/' },
    },
    {
      name: 'redact-knows-nobody',
      severity: 'error',
      from: { path: '^shared/redact/' },
      to: {
        path: '^(daemon|app|cloud|e2e|bench|scripts|shared)/',
        // What its tests have in common with those of others, which `products-know-no-tests` keeps from the rest of it.
        pathNot: '^shared/(redact|src/testing)/',
      },
    },
    {
      name: 'memory-formats-know-what-a-memory-is-and-no-more',
      severity: 'error',
      from: { path: '^shared/memory-formats/' },
      to: {
        path: '^(daemon|app|cloud|e2e|bench|scripts|shared)/',
        pathNot:
          '^shared/(memory-formats/|src/(testing/|contract/(fields|memories/portable)\\.ts$|files/|time/timestamp\\.ts$))',
      },
    },
    {
      name: 'nothing-unresolved',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '\\.css$' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)dist/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.json'],
    },
  },
};
