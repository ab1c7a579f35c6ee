import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { marked } from './note-language.ts';

const quiet = { color: 'var(--faint)', fontWeight: '400' };

/** Words in their place: what is bold is bold, and the marks that say so are quiet. */
const highlighting = HighlightStyle.define([
  { tag: tags.strong, fontWeight: '650' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.strikethrough, color: 'var(--soft)', textDecoration: 'line-through' },
  { tag: tags.monospace, fontFamily: 'var(--mono)', fontSize: '0.82em' },
  { tag: marked, background: 'var(--mark)', borderRadius: '3px' },
  { tag: tags.link, color: 'var(--accent)' },
  { tag: [tags.url, tags.labelName, tags.string], color: 'var(--soft)' },
  { tag: [tags.comment, tags.contentSeparator], color: 'var(--faint)' },
  // Last, so that it holds within all of the above.
  { tag: tags.processingInstruction, ...quiet },
]);

/** A line of the list of what may be inserted, or linked to. */
const LIST = {
  border: '1px solid var(--line)',
  borderRadius: 'var(--corner-l)',
  background: 'var(--sheet)',
  boxShadow: 'var(--float)',
  color: 'var(--ink)',
};

const theme = EditorView.theme({
  '&': { color: 'inherit', background: 'transparent' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'inherit', lineHeight: 'inherit', overflowX: 'visible' },
  // A reader who scrolls finds the line of writing with room below it.
  '.cm-content': { padding: '0 0 30dvh', caretColor: 'var(--accent)', minBlockSize: '40dvh' },
  '.cm-line': { padding: '0', overflowWrap: 'anywhere', unicodeBidi: 'plaintext' },
  '.cm-placeholder': { color: 'var(--faint)' },
  // As far apart as the paragraphs of a note that is read.
  '.cm-gap': { lineHeight: '0.9em' },
  '.cm-gap-under': { lineHeight: '0.5em' },
  '.cm-h1': { fontSize: '1.375em', lineHeight: '1.35', fontWeight: '550', letterSpacing: '-0.01em' },
  '.cm-h2': { fontSize: '1.1875em', lineHeight: '1.35', fontWeight: '600' },
  '.cm-h3': { fontSize: '1.125em', lineHeight: '1.35', fontWeight: '600' },
  '.cm-h4': { lineHeight: '1.35', fontWeight: '600' },
  '.cm-h-below': { paddingBlockStart: '0.9em' },
  '.cm-title': {
    paddingBlock: 'var(--s3) 0.625rem',
    font: '500 var(--text-28) / 2.125rem var(--serif)',
    letterSpacing: '-0.01em',
  },
  // What stands for the mark of the heading makes its line no higher.
  '.cm-title .cm-widgetBuffer': { height: '0', verticalAlign: 'baseline' },
  '.cm-item': { paddingInlineStart: 'calc(var(--level) * 1.5em)', textIndent: 'calc(var(--level) * -1.5em)' },
  '.cm-item-mark': {
    display: 'inline-block',
    boxSizing: 'border-box',
    minInlineSize: 'calc(var(--level) * 1.5em)',
    textAlign: 'end',
    textIndent: '0',
    color: 'var(--faint)',
    fontVariantNumeric: 'tabular-nums',
  },
  '.cm-next': { paddingBlockStart: '0.25em' },
  '.cm-level-1': { '--level': '1' },
  '.cm-level-2': { '--level': '2' },
  '.cm-level-3': { '--level': '3' },
  '.cm-level-4': { '--level': '4' },
  '.cm-level-5': { '--level': '5' },
  '.cm-level-6': { '--level': '6' },
  // With the mark, which is seen, as far from the bar as a quotation that is read.
  '.cm-quote': {
    paddingInlineStart: '0.2em',
    borderInlineStart: '3px solid var(--amber)',
    color: 'var(--soft)',
  },
  '.cm-code, .cm-code span': {
    fontFamily: 'var(--mono)',
    fontSize: 'var(--text-13)',
    lineHeight: '1.6',
  },
  '.cm-code': {
    paddingInline: '0.9rem',
    background: 'color-mix(in srgb, var(--ink) 3.5%, transparent)',
    tabSize: '4',
  },
  '.cm-row, .cm-row span': { fontFamily: 'var(--mono)', fontSize: 'var(--text-13)', lineHeight: '1.8' },
  '.cm-front, .cm-front span': {
    color: 'var(--soft)',
    fontFamily: 'var(--mono)',
    fontSize: 'var(--text-13)',
    fontWeight: '400',
    lineHeight: '1.6',
  },
  '.cm-done': { color: 'var(--soft)' },
  '.cm-box': {
    display: 'inline-block',
    boxSizing: 'border-box',
    position: 'relative',
    inlineSize: '0.95em',
    blockSize: '0.95em',
    marginInlineEnd: '0.55em',
    border: '1.5px solid var(--line-strong)',
    borderRadius: '4px',
    verticalAlign: '-0.12em',
    textIndent: '0',
    cursor: 'pointer',
  },
  // What a finger hits is larger than what is seen.
  '.cm-box::before': { content: '""', position: 'absolute', inset: '-14px' },
  '.cm-box[data-done=true]': { borderColor: 'var(--accent)', background: 'var(--accent)' },
  '.cm-box[data-done=true]::after': {
    position: 'absolute',
    insetBlockStart: '0.08em',
    insetInlineStart: '0.24em',
    inlineSize: '0.26em',
    blockSize: '0.5em',
    border: 'solid var(--on-accent)',
    borderWidth: '0 2px 2px 0',
    content: '""',
    rotate: '45deg',
  },
  '.cm-facts': { display: 'flow-root', cursor: 'default', font: '400 var(--text-14) / 1.43 var(--sans)' },
  // The line between a title and the text is seen while one writes, and takes its room from the space that is there when one reads.
  '.cm-facts:has(+ .cm-gap-under) > div': { marginBlockEnd: 'calc(var(--s5) - 0.53125rem)' },
  '.cm-tooltip': LIST,
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    maxBlockSize: '19rem',
    minInlineSize: '13rem',
    maxInlineSize: 'min(26rem, 86vw)',
    padding: 'var(--s1)',
    fontFamily: 'var(--sans)',
    fontSize: 'var(--text-14)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': {
    display: 'flex',
    gap: 'var(--s3)',
    alignItems: 'baseline',
    minBlockSize: 'var(--control)',
    padding: '0.375rem var(--s2)',
    borderRadius: 'var(--corner)',
    lineHeight: '1.25rem',
  },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { background: 'var(--hover)', color: 'var(--ink)' },
  '.cm-completionLabel': { flex: '1', minInlineSize: '0', overflow: 'hidden', textOverflow: 'ellipsis' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '600' },
  '.cm-completionDetail': {
    flex: 'none',
    maxInlineSize: '50%',
    margin: '0',
    overflow: 'hidden',
    color: 'var(--soft)',
    fontStyle: 'normal',
    fontSize: 'var(--text-12)',
    textOverflow: 'ellipsis',
  },
});

/** How what is written looks: as it will be read, as far as its marks allow. */
export const look = [theme, syntaxHighlighting(highlighting)];
