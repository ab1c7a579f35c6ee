import type { Member as NamedMember } from '../../../../language/attribute-classes.ts';

/** Things of which one takes the place of the other, where one subject has one at a time; a line is a class. */
const LINES = `
package manager: npm|yarn|pnpm|bun|pip|poetry|uv|conda|pipenv|cargo|deno
indentation: tabs?|spaces
database: postgres|postgresql|mysql|mariadb|sqlite|mongodb|mongo|duckdb|dynamodb|cockroachdb|redis|cassandra|clickhouse|firestore|oracle|sql server|elasticsearch|opensearch|meilisearch|memcached|valkey
editor: vim|neovim|nvim|emacs|vscode|vs code|zed|helix|sublime|intellij|webstorm|pycharm|nano|cursor
ci: github actions|gitlab ci|jenkins|woodpecker|circleci|travis|drone|buildkite|teamcity|forgejo actions
code host: github|gitlab|bitbucket|codeberg|gitea|forgejo|sourcehut
broker: kafka|rabbitmq|nats|sqs|mosquitto|emqx|pulsar|pubsub
test runner: vitest|jest|mocha|ava|node:test|pytest|unittest|playwright|cypress|selenium|tap|karma
formatter: prettier|biome|dprint|black|ruff|eslint|oxlint
bundler: webpack|vite|rollup|esbuild|parcel|turbopack|rspack
framework: react|vue|svelte|angular|solid|preact|htmx|lit|ember|jquery|next\\.?js|nuxt|remix|astro
web server: nginx|caddy|apache|traefik|haproxy|envoy
web framework: express|fastify|koa|hono|django|flask|fastapi|rails|spring|laravel
container: docker|podman|containerd
orchestrator: kubernetes|k8s|nomad|docker compose|swarm|ecs|systemd|cron|crontab
cloud: aws|azure|gcp|hetzner|digitalocean|ovh|scaleway|linode|fly\\.io|heroku|vercel|netlify|cloudflare|backblaze|render|s3|b2|wasabi
merging: squash(?:ed|ing)?|rebase[sd]?|rebasing|merge commits?
encoding: utf-8|utf-16|latin-1|windows-1252
format: json|logfmt|yaml|toml|xml|ini|csv|parquet|protobuf|msgpack|markdown|asciidoc
protocol: rest|graphql|grpc|soap|websockets?|mqtt|sse|polling
licence: mit|apache-2\\.0|apache|agpl(?:-3\\.0)?|gpl(?:v[23])?|lgpl|mpl|bsd|isc|cc-by|unlicense|proprietary
time zone: utc|gmt|cet|cest|europe/\\w+|america/\\w+|local time
language of code: typescript|javascript|python|ruby|golang|rust|java|kotlin|swift|php|perl|elixir|scala|c\\+\\+|c#|haskell
tongue: english|german|french|spanish|italian|dutch|portuguese|polish|danish|swedish|norwegian|turkish|russian|arabic|japanese|chinese|deutsch|englisch|französisch
os: windows|macos|linux|ubuntu|debian|fedora|arch|nixos|alpine|freebsd|android|ios
browser: firefox|chrome|chromium|safari|edge|brave|arc
tracker: jira|linear|trello|asana|github issues|youtrack|redmine|shortcut|clickup
wiki: confluence|notion|obsidian|mkdocs|docusaurus|evernote|onenote|logseq|sharepoint
chat: slack|teams|discord|mattermost|zulip|signal|whatsapp|telegram|threema|irc|matrix
meeting: zoom|google meet|jitsi|webex|facetime|skype
password manager: 1password|bitwarden|keepass|keepassxc|lastpass|dashlane|vault
mail: gmail|fastmail|proton|protonmail|outlook|thunderbird|posteo|mailbox\\.org
phone: iphone|pixel|galaxy|fairphone|nokia|oneplus|xiaomi
theme: dark mode|light mode|dark theme|light theme
fuel: diesel|petrol|electric|hybrid|lpg
seat: window seat|aisle seat
diet: vegetarian|vegan|pescatarian|omnivore|gluten-free|keto|low-carb
weeks: even|odd
marriage: single|married|divorced|widowed|engaged|separated
heat: gas|induction|heat pump|oil heating|district heating|pellets|ceramic hob
instrument: piano|violin|cello|guitar|trumpet|flute|clarinet|drums|saxophone|recorder|harp|accordion|trombone|viola|bass|organ|ukulele|oboe|horn|tuba
sport: football|tennis|judo|karate|swimming|volleyball|basketball|handball|hockey|climbing|bouldering|rowing|fencing|badminton|gymnastics|ballet|athletics|yoga|pilates|running
transport: train|tram|bus|car|bicycle|bike|ferry|underground|metro|subway|taxi|scooter|on foot|plane|flight
drink: coffee|tea|beer|wine|espresso|cocoa|water|juice
pay: cash|card|invoice|paypal|direct debit|standing order|bank transfer|stripe|adyen|mollie|paddle|braintree
schedule: hourly|daily|weekly|fortnightly|monthly|quarterly|yearly|annually|twice a week|every other week|nightly|once a week|once a month|every morning|every evening
way: automatically|automatic|by itself|by themselves|manually|by hand|manual
style: imperative|past tense|present tense
`;

/** Words of which one is said in the place of another, in a sentence that says all else alike. */
const OPPOSED = `
shade: dark|light
need: required|optional|mandatory|needed
leave: allowed|forbidden|permitted|banned|prohibited
state: enabled|disabled
access: public|private
sign: positive|negative
coin: cents|euros|dollars|pence|francs
warmth: hot|cold|heated|unheated
squashing: squash|squashed|rebase|rebased
free software: agpl-3.0|apache-2.0|gplv2|gplv3|lgpl-3.0|mpl-2.0
dress: black|white|red|blue|green|yellow|grey|gray|brown|orange|purple|pink|navy|beige|silver
`;
const SAME_CLASS: Readonly<Record<string, string>> = { 'free software': 'licence', squashing: 'merging' };

/** By word: the class that it alone is a member of. */
const BY_WORD: ReadonlyMap<string, string> = new Map(
  `${LINES}${OPPOSED}`
    .trim()
    .split('\n')
    .filter((line) => line !== '')
    .flatMap((line) => {
      const [name = '', members = ''] = line.split(': ');
      return members
        .replaceAll('\\.', '.')
        .split('|')
        .filter((member) => /^[\p{L}\d:.+#-]+$/u.test(member))
        .map((member) => [member, `class ${SAME_CLASS[name] ?? name}`] as const);
    }),
);

/** The class of things that a word is one of, where one takes the place of the other. */
export function classOf(word: string): string | undefined {
  return BY_WORD.get(word);
}

/** Each class with a pattern for its members. */
const CLASSES: readonly RegExp[] = LINES.trim()
  .split('\n')
  .map((line) => {
    const members = line.slice(line.indexOf(': ') + 2);
    return new RegExp(`(?<![\\p{L}\\p{N}_-])(?:${members})(?![\\p{L}\\p{N}_-])`, 'giu');
  });

/** A quick look whether a text names any member of any class. */
const ANY = new RegExp(CLASSES.map(({ source }) => source).join('|'), 'iu');

export interface Member {
  readonly kind: string;
  readonly norm: string;
  readonly start: number;
  readonly end: number;
}

/** Units and days are read as values, and by themselves say what nothing is. */
export const OF_VALUES = new Set(
  'environment|depth place|side|direction|inside or outside|week parity|weekday|month|part of day|season|hospital ward kind|duration unit|weight unit|temperature unit|money unit|currency|unit system|date format|clock format'.split(
    '|',
  ),
);

/** What a text names of the classes, with what it names of those of the lexicon. */
export function membersOf(text: string, named: readonly NamedMember[]): Member[] {
  const known = named
    .filter(({ of }) => of.isExclusive && !OF_VALUES.has(of.name))
    .map(({ of, name, from, to }) => ({ kind: `class ${of.name}`, norm: name, start: from, end: to }));
  if (!ANY.test(text)) return known;
  const own = CLASSES.flatMap((pattern, index) =>
    [...text.matchAll(pattern)].map((match) => ({
      kind: `class ${index}`,
      norm: match[0].toLowerCase().replace(/s$/u, ''),
      start: match.index,
      end: match.index + match[0].length,
    })),
  );
  return [...known, ...own];
}
