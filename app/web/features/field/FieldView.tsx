import { WEAKER } from '@reverie/shared/contract/search/search';
import { Query } from '@reverie/shared/contract/fields';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { wallClock } from '../../platform/clock.ts';
import { debounce } from '../../platform/debounce.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { askQuery } from '../ask/queries.ts';
import { HomeSelect } from '../today/HomeSelect.tsx';
import { useThoughtsHome } from '../today/thoughts-home.ts';
import { useKeeping } from '../today/use-keeping.ts';
import { Answered } from './Answered.tsx';
import { actsOn, beginsFirst, type Choice, idOf, questionOf, sectionsOf, wantedOf } from './choices.ts';
import css from './FieldView.module.css';
import type { FieldEntry } from './fitting.ts';
import { type FieldHit, hitOf } from './hit.ts';
import { everywhereQuery, recentQuery } from './queries.ts';
import { ChoiceList } from './ChoiceList.tsx';

interface FieldProps {
  /** What stands in it at first. */
  first?: string;
  canWrite: boolean;
  /** Where one can go, and what one can do. */
  entries: readonly FieldEntry[];
  /** What can be done to a memory that fits. */
  actsOf: (hit: FieldHit) => readonly FieldEntry[];
  onOpen: (hit: FieldHit) => void;
  /** Shows the whole answer to a question. */
  onAsk: (question: string) => void;
  onSearch: (text: string) => void;
  /** Puts the field away; undefined where it cannot be. */
  onClose: (() => void) | undefined;
  /** It is a window by itself: it is moved by its line, and Escape empties it first. */
  isWindow?: boolean;
}

/** How long one stops typing before memories are searched, ms. */
const PAUSE_MS = 120;
/** Notes of an answer that have room. */
const QUOTED = 4;

/** What Enter does, in a word. */
const DOES: Readonly<Record<Choice['kind'], string>> = {
  hit: 'Open',
  entry: 'Go',
  ask: 'Answer',
  whole: 'Open',
  search: 'Search',
  keep: 'Keep',
};

/** One field for everything: it finds, answers, goes somewhere, does something to what it found, and keeps a thought. */
export function FieldView({ first = '', canWrite, entries, actsOf, isWindow = false, ...to }: FieldProps) {
  const [typed, setTyped] = useState(first);
  const [settled, setSettled] = useState(first.trim());
  const [asked, setAsked] = useState<string>();
  /** What was chosen by hand: nothing that comes in later takes that back. */
  const [byHand, setByHand] = useState<string>();
  /** The memory whose actions are shown, and what narrows them. */
  const [acting, setActing] = useState<{ hit: FieldHit; typed: string }>();
  const field = useRef<HTMLInputElement>(null);
  const isHere = useRef(true);
  const [pause] = useState(() => debounce<string>(wallClock, PAUSE_MS, setSettled));
  const client = useQueryClient();
  const home = useThoughtsHome();
  const { keep, kept, forget, takeBack } = useKeeping(home.settled, (value) => {
    if (field.current?.value.trim() === value) type('');
  });
  const id = useId();
  useEffect(() => {
    isHere.current = true;
    const focus = () => field.current?.focus();
    // The window is hidden and shown again, and one types at once.
    if (isWindow) window.addEventListener('focus', focus);
    return () => {
      isHere.current = false;
      pause.cancel();
      window.removeEventListener('focus', focus);
    };
  }, [isWindow, pause]);

  const text = typed.trim();
  const question = questionOf(text);
  const recent = useQuery(recentQuery);
  const found = useQuery(everywhereQuery(wantedOf(settled)));
  const isKnown = settled === text && !found.isFetching;
  // A finished question is answered by itself; before that, each pause would be one more that a model is paid for.
  const isAsked = question !== undefined && (asked === question || (settled === text && text.endsWith('?')));
  const answer = useQuery({
    ...askQuery({ namespace: '*', question: question ?? '' }),
    enabled: isAsked && Query.safeParse(question).success,
  });
  const reply = question === undefined ? undefined : answer.data;
  const quoted = reply?.citations
    .filter(({ score }, at) => reply.model !== null || at === 0 || score >= WEAKER)
    .slice(0, QUOTED)
    .map(hitOf);
  const known = { canWrite, entries, recent: recent.data ?? [], quoted };
  const hits = settled === '' ? [] : (found.data ?? []);
  const sections = acting ? actsOn(actsOf(acting.hit), acting.typed) : sectionsOf(typed, { ...known, hits });
  const all = sections.flatMap(({ choices }) => choices);
  const chosen = all.find((choice) => idOf(choice) === byHand) ?? all[0];

  function type(next: string) {
    setByHand(undefined);
    if (acting) return setActing({ ...acting, typed: next });
    setTyped(next);
    forget();
    pause.push(next.trim());
  }
  const show = (hit: FieldHit | undefined) => {
    setByHand(hit ? undefined : acting && idOf({ kind: 'hit', hit: acting.hit }));
    setActing(hit && { hit, typed: '' });
    field.current?.focus();
  };
  const act = (choice: Choice | undefined) => {
    switch (choice?.kind) {
      case undefined:
        return;
      case 'hit':
        return to.onOpen(choice.hit);
      case 'entry':
        if (acting) show(undefined);
        return choice.entry.run();
      case 'ask':
        // What is no question yet becomes one, so that it is seen what was answered.
        if (question === undefined) type(`${choice.question}?`);
        return setAsked(question ?? `${choice.question}?`);
      case 'whole':
        return to.onAsk(choice.question);
      case 'search':
        return to.onSearch(choice.text);
      case 'keep':
        return keep(choice.text);
    }
  };
  const enter = () => {
    if (byHand !== undefined || acting || isKnown || question !== undefined || beginsFirst(all, text))
      return act(chosen);
    // Who presses Enter before it is known what fits means that, not what stands there for a moment; more may be typed meanwhile.
    void client
      .query(everywhereQuery(wantedOf(typed)))
      .catch(() => [])
      .then((late) => {
        if (isHere.current) act(sectionsOf(typed, { ...known, hits: late })[0]?.choices[0]);
      });
  };
  const step = (by: number) => {
    if (!chosen) return;
    const next = all[(all.indexOf(chosen) + by + all.length) % all.length];
    if (next) setByHand(idOf(next));
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return;
    const { selectionStart, selectionEnd, value } = event.currentTarget;
    const withCtrl = event.ctrlKey || event.metaKey;
    const isAtEnd = selectionStart === value.length && selectionEnd === value.length;
    const open = () => (acting ? show(undefined) : chosen?.kind === 'hit' && show(chosen.hit));
    const back = () => show(undefined);
    const escape = acting ? back : isWindow && (() => (typed === '' ? to.onClose?.() : type('')));
    const does: Partial<Record<string, (() => void) | false | undefined>> = withCtrl
      ? { k: open, K: open, Enter: canWrite && !acting && (() => keep(typed)) }
      : {
          ArrowDown: () => step(1),
          ArrowUp: () => step(-1),
          Enter: enter,
          ArrowRight: !acting && isAtEnd && chosen?.kind === 'hit' && open,
          ArrowLeft: acting !== undefined && value === '' && back,
          Backspace: acting !== undefined && value === '' && back,
          Escape: escape,
        };
    const run = does[event.key];
    if (!run) return;
    event.preventDefault();
    run();
  };
  return (
    <div className={css['field']} data-window={isWindow}>
      <div className={css['line']}>
        <Icon name={question === undefined ? 'search' : 'ask'} />
        <input
          ref={field}
          data-first
          className={css['input']}
          role="combobox"
          aria-label="Find or ask"
          aria-expanded={all.length > 0}
          aria-controls={`${id}-list`}
          aria-activedescendant={chosen && `${id}-${all.indexOf(chosen)}`}
          aria-autocomplete="list"
          autoComplete="off"
          spellCheck={false}
          dir="auto"
          autoFocus={isWindow}
          placeholder={
            acting ? 'What to do with it' : canWrite ? 'Find, ask, or keep a thought' : 'Find or ask'
          }
          value={acting ? acting.typed : typed}
          onChange={(event) => type(event.target.value)}
          onKeyDown={onKeyDown}
        />
        {!isWindow && (
          <Button look="quiet" className={css['cancel'] ?? ''} onClick={to.onClose}>
            Cancel
          </Button>
        )}
      </div>
      <div className={css['told']}>
        {!acting && question === '' && (
          <p className={css['hint']}>Write a question after the question mark.</p>
        )}
        {!acting && isAsked && <Answered of={reply} error={answer.error} />}
        {!acting && question === undefined && text !== '' && (
          <Fit
            text={text}
            isKnown={isKnown}
            isError={found.isError}
            count={hits.length + fits(all)}
            canWrite={canWrite}
          />
        )}
      </div>
      <ChoiceList
        id={id}
        sections={sections}
        acting={acting?.hit}
        chosen={chosen && idOf(chosen)}
        home={home.namespace}
        onPoint={setByHand}
        onAct={act}
        onMore={show}
      />
      <footer className={css['foot']}>
        <div className={css['said']} role="status">
          {kept ? (
            <>
              <span>
                Kept in <bdi>{kept.namespace}</bdi> as <bdi>{kept.key}</bdi>
              </span>
              <Button look="quiet" onClick={() => takeBack(kept)}>
                Take back
              </Button>
            </>
          ) : (
            canWrite &&
            !acting && (
              <>
                <span>Thoughts go to</span> <HomeSelect {...home} /> <kbd aria-hidden="true">Tab</kbd>
              </>
            )
          )}
        </div>
        {chosen && (
          <span className={css['does']}>
            {chosen.kind === 'entry' && chosen.entry.group === 'Do' ? 'Do it' : DOES[chosen.kind]}{' '}
            <kbd>↵</kbd>
          </span>
        )}
        <Button
          look="quiet"
          aria-keyshortcuts="Control+K"
          disabled={!acting && chosen?.kind !== 'hit'}
          onClick={() => (acting ? show(undefined) : chosen?.kind === 'hit' && show(chosen.hit))}
        >
          {acting ? 'Back' : 'Actions'} <kbd aria-hidden="true">Ctrl K</kbd>
        </Button>
      </footer>
    </div>
  );
}

/** How many of the choices are places and acts. */
function fits(all: readonly Choice[]): number {
  return all.filter(({ kind }) => kind === 'entry').length;
}

interface FitProps {
  text: string;
  isKnown: boolean;
  isError: boolean;
  /** Of what fits. */
  count: number;
  canWrite: boolean;
}

/** Says where nothing fits, and what may be done then. */
function Fit({ text, isKnown, isError, count, canWrite }: FitProps) {
  if (isError) return <p className={css['hint']}>Searching does not work right now.</p>;
  if (count > 0) return null;
  return (
    <p className={css['hint']} role="status">
      {isKnown ? (
        <>
          Nothing fits “<bdi>{text}</bdi>”.
          {canWrite && <span className={css['byKeys']}> Ctrl+Enter keeps it as a thought.</span>}
        </>
      ) : (
        'Looking…'
      )}
    </p>
  );
}
