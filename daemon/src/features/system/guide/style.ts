/** How pages of the documentation look, on the tokens and fonts of the page, whose own style sheet comes before this one. */
export const STYLE = `body.written {
  display: grid;
  grid-template: auto 1fr / minmax(12rem, 16rem) minmax(0, 1fr);
  gap: var(--s5) var(--s6);
  max-inline-size: 78rem;
  block-size: auto;
  margin-inline: auto;
  padding: var(--s5);
}
.written header { grid-column: 1 / -1; display: flex; flex-wrap: wrap; gap: var(--s2) var(--s4); align-items: baseline; }
.written header strong { font: 500 var(--text-20) / 1.2 var(--serif); }
.written header strong a { color: inherit; text-decoration: none; }
.written .to-pages { display: none; }
.written nav ul { display: grid; gap: var(--s1); }
.written nav a, .written footer a { text-decoration: none; }
.written nav a { display: block; padding: var(--s1) var(--s3); border-radius: var(--corner); color: var(--soft); }
.written nav a:hover { background: var(--hover); color: var(--ink); }
.written nav a[aria-current] { background: var(--accent-wash); color: var(--ink); font-weight: 600; }
.written main { min-inline-size: 0; padding: var(--s6); border: 1px solid var(--line); border-radius: var(--corner-sheet); background: var(--sheet); box-shadow: var(--lift); }
.written article { font: 400 1.0625rem / 1.625 var(--serif); overflow-wrap: break-word; }
.written article > :not(pre, .table) { max-inline-size: var(--measure); }
.written article > * + * { margin-block-start: 0.9em; }
.written :is(h2, h3) { font: 600 1.1875em / 1.35 var(--serif); scroll-margin-block-start: var(--s4); }
.written h3 { font-size: 1.0625em; }
.written article > :is(h2, h3):not(:first-child) { margin-block-start: 1.6em; }
.written article > :is(h2, h3) + * { margin-block-start: 0.5em; }
.written article :is(ul, ol) { padding-inline-start: 1.5em; list-style: disc; }
.written article ol { list-style: decimal; }
.written article li + li { margin-block-start: 0.35em; }
.written article :not(pre) > code { padding: 0.1em 0.35em; border-radius: 4px; background: color-mix(in srgb, var(--ink) 6%, transparent); font-size: 0.82em; overflow-wrap: anywhere; }
.written pre { max-inline-size: 100%; padding: var(--s3) var(--s4); overflow-x: auto; border: 1px solid var(--line); border-radius: var(--corner-l); background: var(--sunken); font-size: var(--text-13); line-height: 1.6; }
.written .table { max-inline-size: 100%; overflow-x: auto; font: 400 var(--text-14) / 1.5 var(--sans); }
.written table { min-inline-size: 100%; }
.written :is(th, td) { min-inline-size: 6rem; padding: 0.45rem 0.9rem 0.45rem 0; border-block-end: 1px solid var(--line); text-align: start; vertical-align: top; }
.written th { color: var(--soft); font-size: var(--text-13); }
.written img { max-inline-size: 100%; block-size: auto; border: 1px solid var(--line); border-radius: var(--corner); }
.written blockquote { margin-inline: 0; padding-inline-start: 0.9em; border-inline-start: 3px solid var(--amber); color: var(--soft); }
.written footer { display: flex; flex-wrap: wrap; gap: var(--s2) var(--s5); justify-content: space-between; margin-block-start: var(--s6); padding-block-start: var(--s4); border-block-start: 1px solid var(--line); }
@media (width < 56rem) {
  body.written { grid-template: auto / minmax(0, 1fr); gap: var(--s4); padding: var(--s4); }
  .written main { order: 1; padding: var(--s4); }
  .written nav { order: 2; }
  .written nav a { padding-block: var(--s3); }
  .written .to-pages { display: inline; }
}
@media print {
  .written :is(header, nav, footer) { display: none; }
  .written main { border: 0; box-shadow: none; }
}
`;
