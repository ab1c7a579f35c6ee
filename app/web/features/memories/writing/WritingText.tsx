import { calendarDay } from '@reverie/shared/contract/calendar-day';
import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react';
import { createPortal } from 'react-dom';
import { wallClock } from '../../../platform/clock.ts';
import { kindOf } from '../../../ui/reading/kind-of.ts';
import { bodyAt } from '../../../ui/reading/front-matter.ts';
import { ownTitle } from '../../../ui/reading/own-title.ts';
import type { Entry } from './entry.ts';
import { findNotesIn } from './find-notes.ts';
import { openSheet, type Sheet } from './sheet/sheet.ts';
import css from './WritingText.module.css';

interface WritingTextProps {
  /** What is written at first. */
  text: string;
  /** Its title, where that is said in a heading of the text. */
  title: string;
  namespace: string;
  label: string;
  empty: string;
  entry: Entry | undefined;
  /** Stands below the heading that says the title. */
  facts?: ReactNode;
  sheet: RefObject<Sheet | undefined>;
  onTyped: () => void;
  onLeave: () => void;
  onSave: () => void;
}

const DESCRIBED = 'Escape leaves the text. Tab goes on to what follows; within a list it sets an entry in.';

/** The text of a memory, written where it is read: in the same letters and in the same place. */
export function WritingText(props: WritingTextProps) {
  const { text, title, namespace, label, empty, entry, facts, sheet } = props;
  const place = useRef<HTMLDivElement>(null);
  const now = useRef(props);
  useEffect(() => {
    now.current = props;
  });
  const [kind] = useState(() => kindOf(text));
  const [host] = useState(() => {
    if (facts === undefined || ownTitle({ value: text, title })?.isHeading !== true) return undefined;
    const element = document.createElement('div');
    element.className = 'cm-facts';
    return element;
  });
  // What is there when writing begins; later changes come in by `replace`.
  const [first] = useState({ text, title, namespace, label, empty, entry });
  useEffect(() => {
    const parent = place.current;
    if (!parent) return;
    const opened = openSheet({
      parent,
      text: first.text,
      isMarkdown: kind === 'markdown' || kind === 'text',
      attributes: { 'aria-label': first.label, 'aria-description': DESCRIBED },
      empty: first.empty,
      facts: host,
      findNotes: findNotesIn(first.namespace),
      today: () => calendarDay(new Date(wallClock.now())),
      onTyped: () => now.current.onTyped(),
      onLeave: () => now.current.onLeave(),
      onSave: () => now.current.onSave(),
    });
    sheet.current = opened;
    enter(opened, parent, first);
    return () => {
      opened.view.destroy();
    };
  }, [first, kind, host, sheet]);
  return (
    <>
      {host && createPortal(facts, host)}
      <div ref={place} className={css['text']} data-kind={kind} data-testid="writing" />
    </>
  );
}

/** Puts the caret where one pointed, and that line where it stood on the screen before. */
function enter(
  { view }: Sheet,
  parent: HTMLElement,
  first: { text: string; title: string; entry: Entry | undefined },
) {
  const { text, title, entry } = first;
  const own = ownTitle({ value: text, title });
  const begin = own?.isHeading === true ? own.textAt : bodyAt(text);
  const lengthTo = (offset: number) => text.slice(0, offset).replace(/\r\n/g, '\n').length;
  const at = Math.min(view.state.doc.length, lengthTo(entry?.offset ?? begin));
  view.dispatch({ selection: { anchor: at } });
  view.focus();
  if (!entry) return;
  const scroller = scrollerOf(parent);
  if (scroller) keepAt(view, { at, top: entry.top, scroller, parent });
}

/** Frames in which what stands between the lines, such as the facts below a title, gets its height. */
const SETTLING = 4;

/** Has a place of the text stand where it was on the screen: by scrolling, and where there is nothing to scroll by room above the text. */
function keepAt(
  view: Sheet['view'],
  {
    at,
    top: wanted,
    scroller,
    parent,
  }: { at: number; top: number; scroller: HTMLElement; parent: HTMLElement },
): void {
  let room = 0;
  // Once it is laid out: lines far down have only then their height.
  const keep = (frames: number) =>
    view.requestMeasure({
      read: () => view.coordsAtPos(at)?.top,
      write: (top) => {
        if (top === undefined) return;
        const given = Math.min(room, Math.max(0, top - wanted));
        room -= given;
        const before = scroller.scrollTop;
        scroller.scrollTop += top - given - wanted;
        room += Math.max(0, wanted - (top - given) + (scroller.scrollTop - before));
        parent.style.paddingBlockStart = room > 1 ? `${Math.round(room)}px` : '';
        if (frames > 1)
          requestAnimationFrame(() => {
            if (view.dom.isConnected) keep(frames - 1);
          });
      },
    });
  keep(SETTLING);
}

function scrollerOf(element: HTMLElement): HTMLElement | null {
  for (let at = element.parentElement; at; at = at.parentElement)
    if (/auto|scroll/.test(getComputedStyle(at).overflowY)) return at;
  return null;
}
