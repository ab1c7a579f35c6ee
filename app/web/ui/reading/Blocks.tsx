import { createElement, memo, type MouseEvent, type ReactNode } from 'react';
import css from './Blocks.module.css';
import { Callout } from './Callout.tsx';
import { Code } from './typeset/Code.tsx';
import { Diagram } from './typeset/Diagram.tsx';
import { Formula } from './typeset/Formula.tsx';
import { type Laid, type LaidPart, textOf } from './layout/laid-out.ts';
import { type Leading, namesFile, type NoteLinks, noteTarget } from './note-target.ts';

/** What is around a note where it is drawn. */
export interface NoteDrawing {
  /** Before each id, so that no note can name a part of the page. */
  prefix: string;
  /** The level of the heading that the note stands below. */
  under: number;
  links?: NoteLinks | undefined;
}

/** Parts of a note as elements of the page. */
export const Blocks = memo(function Blocks({ blocks, of }: { blocks: readonly Laid[]; of: NoteDrawing }) {
  return drawn(blocks, of);
});

/** Goes to a part of a note, for eyes and for the keyboard. */
export function jumpTo(id: string): void {
  const element = document.getElementById(id);
  element?.scrollIntoView({ block: 'start' });
  element?.focus({ preventScroll: true });
}

function drawn(laid: readonly Laid[], of: NoteDrawing): ReactNode {
  return laid.map((one, at) => (typeof one === 'string' ? one : <Part key={at} part={one} of={of} />));
}

function Part({ part, of }: { part: LaidPart; of: NoteDrawing }) {
  switch (part.kind) {
    case 'element':
      return <Plain part={part} of={of} />;
    case 'heading':
      return createElement(
        `h${Math.min(6, of.under + part.level)}`,
        {
          id: of.prefix + part.id,
          tabIndex: -1,
          dir: 'auto',
          className: css['heading'],
          'data-level': part.level,
        },
        drawn(part.children, of),
      );
    case 'table':
      return (
        <div className={css['table']} role="group" aria-label="Table" tabIndex={0}>
          <table>{drawn(part.children, of)}</table>
        </div>
      );
    case 'footnotes':
      return (
        <div className={css['footnotes']} role="group" aria-label="Footnotes">
          {drawn(part.children, of)}
        </div>
      );
    case 'code':
      return part.language === 'mermaid' ? (
        <Diagram text={part.text} />
      ) : (
        <Code language={part.language} text={part.text} />
      );
    case 'formula':
      return <Formula text={part.text} isBlock={part.isBlock} />;
    case 'callout':
      return (
        <Callout type={part.type} fold={part.fold} title={drawn(part.title, of)}>
          {drawn(part.children, of)}
        </Callout>
      );
    case 'link':
      return (
        <a href={part.href} title={part.href} target="_blank" rel="noopener noreferrer">
          {drawn(part.children, of)}
        </a>
      );
    case 'memory':
      return <MemoryLink part={part} of={of} />;
    case 'jump':
      return <Jump part={part} of={of} />;
    case 'image':
      return attachedOr(
        <img src={part.src} alt={part.alt} loading="lazy" decoding="async" />,
        part,
        of.links,
      );
    case 'unloaded':
      return attachedOr(<Unloaded {...part} />, part, of.links);
  }
}

const OWN_DIRECTION = new Set(['p', 'li', 'td', 'th', 'blockquote']);

function Plain({ part, of }: { part: LaidPart & { kind: 'element' }; of: NoteDrawing }) {
  const { tag, id, start, align, isDone, keepsLines, children } = part;
  const embedded = tag === 'p' ? embeddedIn(children, of) : undefined;
  if (embedded !== undefined) return embedded;
  const [first, ...below] = children;
  // A block of an outline, with those below it.
  const inBlock =
    tag === 'li' && first !== undefined && below.every(isBelow) ? embeddedIn([first], of) : undefined;
  if (inBlock !== undefined)
    return (
      <li>
        {inBlock}
        {drawn(below, of)}
      </li>
    );
  return createElement<Record<string, unknown>>(
    tag,
    {
      ...(OWN_DIRECTION.has(tag) && { dir: 'auto' }),
      ...(id !== undefined && { id: of.prefix + id, tabIndex: -1 }),
      ...(start !== undefined && { start }),
      ...(align && { className: css[align] }),
      ...(isDone !== undefined && { className: css['task'], 'data-done': isDone }),
      ...(keepsLines && { className: css['lines'] }),
    },
    // An element without content, such as a ruler, may not be given any.
    ...(isDone === undefined
      ? []
      : [<span key="box" role="img" aria-label={isDone ? 'Done:' : 'To do:'} className={css['box']} />]),
    ...(children.length > 0 ? [drawn(children, of)] : []),
  );
}

function isBelow(part: Laid): boolean {
  return typeof part === 'object' ? part.kind === 'element' : part.trim() === '';
}

/** The memory that a paragraph is to show, and nothing else; undefined where there is none, or it cannot be shown here. */
function embeddedIn([only, ...others]: readonly Laid[], { links }: NoteDrawing): ReactNode {
  if (!links?.embedded || others.length > 0 || typeof only !== 'object') return undefined;
  if (only.kind !== 'memory' || !only.isEmbed || namesFile(only.target)) return undefined;
  const leading = links.leadsTo?.(only.target);
  // A block is shown in its line.
  return leading?.isFound && leading.says === undefined ? links.embedded(leading.target) : undefined;
}

function MemoryLink({
  part,
  of: { links, ...of },
}: {
  part: LaidPart & { kind: 'memory' };
  of: NoteDrawing;
}) {
  const said = drawn(part.children, of);
  if (links?.attached && namesFile(part.target) && !links.leadsTo?.(part.target)?.isFound) {
    const label = textOf(part.children);
    const as = { label: label === part.target ? '' : label, isEmbed: part.isEmbed === true };
    return links.attached(part.target, as, part.isPath ? said : <Missing name={part.target} />);
  }
  const leading = links && leadingOf(part, links);
  // What a path leads to may be no memory.
  if (part.isPath && !leading) return said;
  if (!links || !leading) return <span className={css['memory']}>{said}</span>;
  const { target, isFound, says } = leading;
  const open = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    links.onOpen(target);
  };
  return (
    <a
      href={links.hrefOf(target)}
      className={css['memory']}
      onClick={open}
      {...(!isFound && { 'data-dead': true, title: 'Not written yet' })}
    >
      {says || said}
    </a>
  );
}

/** Where a link leads: within its namespace, else in the one that it names. What is not known yet looks as if it were there. */
function leadingOf(
  { target: written, isPath }: LaidPart & { kind: 'memory' },
  { leadsTo, namespaces }: NoteLinks,
): Leading | undefined {
  const known = leadsTo?.(written);
  if (isPath || known?.isFound) return known;
  const named = noteTarget(written, namespaces);
  return known && named.namespace === undefined ? known : { target: named, isFound: true };
}

function Jump({ part, of }: { part: LaidPart & { kind: 'jump' }; of: NoteDrawing }) {
  const label = nameOf(part);
  return (
    <a
      href={`#${of.prefix}${part.to}`}
      {...(part.id !== undefined && { id: of.prefix + part.id })}
      {...(label !== undefined && { 'aria-label': label })}
      onClick={(event) => {
        // The address of the page stays that of the note.
        event.preventDefault();
        jumpTo(of.prefix + part.to);
      }}
    >
      {drawn(part.children, of)}
    </a>
  );
}

function nameOf({ to, id, children }: LaidPart & { kind: 'jump' }): string | undefined {
  if (id !== undefined) return `Footnote ${textOf(children)}`;
  return to.startsWith('fnref-') ? 'Back to the text' : undefined;
}

/** A picture of the note itself in the place of one that the page would show, or not. */
function attachedOr(
  otherwise: ReactNode,
  { path, alt: label }: { path?: string; alt: string },
  links: NoteLinks | undefined,
): ReactNode {
  if (path === undefined || !links?.attached || !namesFile(path)) return otherwise;
  return links.attached(path, { label, isEmbed: true }, otherwise);
}

function Missing({ name }: { name: string }) {
  return (
    <span className={css['unloaded']}>
      {name} <small>(not stored)</small>
    </span>
  );
}

function Unloaded({ href, alt }: LaidPart & { kind: 'unloaded' }) {
  const said = alt.trim() === '' ? 'image' : alt;
  return (
    <span className={css['unloaded']}>
      {href === undefined ? (
        said
      ) : (
        <a href={href} title={href} target="_blank" rel="noopener noreferrer">
          {said}
        </a>
      )}{' '}
      <small>(image not loaded)</small>
    </span>
  );
}
