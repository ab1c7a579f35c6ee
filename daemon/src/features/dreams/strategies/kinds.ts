/** Things of which one excludes the others, where a sentence names one of them. */
const LINES = `
package manager: npm|yarn|pnpm|bun|pip|poetry|uv|conda|pipenv
indentation: tabs|spaces
database: postgres|postgresql|mysql|mariadb|sqlite|mongodb|duckdb|dynamodb|cockroachdb
editor: vim|neovim|emacs|vscode|vs code|zed|helix|sublime|intellij|webstorm
ci: github actions|gitlab ci|jenkins|woodpecker|circleci|travis|drone ci|buildkite
broker: kafka|rabbitmq|nats|sqs|mosquitto|emqx
test runner: vitest|jest|mocha|ava
formatter: prettier|biome|dprint
merging: squash|squashed|rebase|rebased|merge commits?
encoding: utf-8|utf-16|latin-1|windows-1252
format: json|yaml|toml|xml|ini
theme: dark mode|light mode|dark theme|light theme
colour: red|blue|green|yellow|black|white|grey|gray|brown|orange|purple|pink|beige|turquoise|navy|violet
fuel: diesel|petrol|electric|hybrid
side: (?<=on the |to the |turn |side )(?:left|right)
seat: window seat|aisle seat
diet: vegetarian|vegan|pescatarian
weeks: (?:even|odd)(?= (?:calendar )?weeks?)
marriage: single|married|divorced|widowed
heat: gas|induction|heat pump|oil heating|district heating
part of day: (?<=in the |every |each |at )(?:mornings?|afternoons?|evenings?|night)
room: (?<=in the |in our |into the |to the |im |in der )(?:kitchen|cellar|basement|attic|loft|garage|hallway|bathroom|bedroom|living room|balcony|shed|study)
`;

/** Each with a pattern for its words. */
export const KINDS: readonly { readonly kind: string; readonly words: RegExp }[] = LINES.trim()
  .split('\n')
  .map((line) => {
    const [kind = '', words = ''] = line.split(': ');
    return {
      kind: `is ${kind}`,
      words: new RegExp(`(?<![\\p{L}\\p{N}_-])(?:${words})(?![\\p{L}\\p{N}_-])`, 'giu'),
    };
  });
