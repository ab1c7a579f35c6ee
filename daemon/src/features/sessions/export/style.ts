/** The style of an exported page; the page's policy allows this text alone, to the letter. */
export const STYLE = `
:root { color-scheme: light dark; --ink: #1d1b19; --soft: #6b655d; --paper: #fbf9f6; --line: #e2dcd3; --raised: #f3eee7; --link: #0b5fa5; --bad: #a3261b; --added: #12662f; --added-on: #e3f4e6; --removed: #98231b; --removed-on: #fbe6e3; }
@media (prefers-color-scheme: dark) { :root { --ink: #ece7e0; --soft: #a49c91; --paper: #191715; --line: #36322d; --raised: #23201d; --link: #7db8ee; --bad: #f0877c; --added: #8fd6a0; --added-on: #17301d; --removed: #f0a199; --removed-on: #3a1d1a; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 52rem; padding: 2rem 1rem 4rem; background: var(--paper); color: var(--ink); font: 1rem/1.6 ui-sans-serif, system-ui, sans-serif; overflow-wrap: anywhere; }
header { border-bottom: 1px solid var(--line); margin-bottom: 2rem; }
h1 { font: 600 1.9rem/1.25 ui-serif, Georgia, serif; margin: 0; }
header p, footer, time { color: var(--soft); font-size: .85rem; }
time { font-weight: 400; }
article { margin: 0 0 .75rem; }
article h2 { font-size: .85rem; margin: 1.5rem 0 .25rem; }
.prompt .said { font: 1.35rem/1.45 ui-serif, Georgia, serif; border-left: 3px solid var(--link); padding-left: 1rem; }
.said { white-space: pre-wrap; }
.note .marked { background: var(--raised); border-radius: .4rem; padding: .1rem .8rem; }
details { border: 1px solid var(--line); border-radius: .4rem; }
summary { cursor: pointer; padding: .3rem .7rem; font-size: .85rem; }
summary code { color: var(--soft); }
.failed summary b { color: var(--bad); }
pre { background: var(--raised); margin: 0; padding: .7rem; overflow: auto; max-height: 36rem; font: .8rem/1.5 ui-monospace, monospace; white-space: pre-wrap; }
code { font: .85em ui-monospace, monospace; }
.added { color: var(--added); background: var(--added-on); }
.removed { color: var(--removed); background: var(--removed-on); }
.place { color: var(--soft); }
.marked table { border-collapse: collapse; }
.marked td, .marked th { border: 1px solid var(--line); padding: .2rem .5rem; text-align: left; }
.marked blockquote { border-left: 3px solid var(--line); margin-left: 0; padding-left: 1rem; color: var(--soft); }
a { color: var(--link); }
footer { border-top: 1px solid var(--line); margin-top: 2rem; padding-top: 1rem; }
@media print { details { border: 0; } pre { max-height: none; } }
`;
