import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import { wallClock } from '../../platform/clock.ts';
import { debounce } from '../../platform/debounce.ts';
import { markedPassage } from '../../platform/passage.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Marked } from '../../ui/Marked.tsx';
import { everywhereQuery } from '../field/queries.ts';
import { HomeSelect } from '../today/HomeSelect.tsx';
import { useThoughtsHome } from '../today/thoughts-home.ts';
import { useKeeping } from '../today/use-keeping.ts';
import type { TrayTarget } from '../tray/target.ts';
import { type QuickChoice, choicesFor, questionOf } from './choices.ts';
import css from './QuickView.module.css';

interface QuickProps {
  canWrite: boolean;
  onOpen: (target: TrayTarget) => void;
  /** Puts the field away; undefined where it cannot be. */
  onDone: (() => void) | undefined;
}

/** How long one stops typing before memories are searched, ms. */
const PAUSE_MS = 120;
/** As many as fit below the field. */
const SHOWN = 4;

/** One field of 620 × 360: Enter opens what fits, or does what the arrows have chosen; Ctrl+Enter keeps what was typed. */
export function QuickView({ canWrite, onOpen, onDone }: QuickProps) {
  const [typed, setTyped] = useState('');
  const [settled, setSettled] = useState('');
  const [at, setAt] = useState(0);
  const home = useThoughtsHome();
  const client = useQueryClient();
  const field = useRef<HTMLInputElement>(null);
  const { keep, kept, forget, takeBack } = useKeeping(home.settled, (value) => {
    if (field.current?.value.trim() === value) type('');
  });
  const [pause] = useState(() => debounce<string>(wallClock, PAUSE_MS, setSettled));
  const id = useId();
  useEffect(() => pause.cancel, [pause]);
  useEffect(() => {
    const focus = () => field.current?.focus();
    focus();
    // The window is hidden and shown again, and one types at once.
    window.addEventListener('focus', focus);
    return () => window.removeEventListener('focus', focus);
  }, []);
  const { data, isFetching } = useQuery(everywhereQuery(questionOf(settled)));
  const isKnown = settled === typed.trim() && !isFetching;
  const found = settled === '' ? [] : strongOf(data ?? []);
  const choices = choicesFor(typed, { canWrite, found });
  const chosen = Math.min(at, Math.max(0, choices.length - 1));
  const type = (text: string) => {
    setTyped(text);
    setAt(0);
    forget();
    pause.push(text.trim());
  };
  const act = (choice: QuickChoice | undefined, text: string) => {
    if (!choice) return;
    if (choice.kind === 'keep') {
      keep(text);
      return;
    }
    onOpen(
      choice.kind === 'ask'
        ? { to: '/ask', search: { namespace: '*', q: choice.question } }
        : { to: '/memories', search: { namespace: choice.namespace, key: choice.key } },
    );
    onDone?.();
  };
  const enter = () => {
    if (isKnown || at > 0) return act(choices[chosen], typed);
    // Who presses Enter before it is known what fits means that, not what stands there for a moment; more may be typed meanwhile.
    void client
      .query(everywhereQuery(questionOf(typed)))
      .catch(() => [])
      .then((hits) => act(choicesFor(typed, { canWrite, found: strongOf(hits) })[0], typed));
  };
  const step = (by: number) => {
    if (choices.length > 0) setAt((chosen + by + choices.length) % choices.length);
  };
  return (
    <main className={css['quick']}>
      <h1 className="sr-only">Reverie</h1>
      <div className={css['line']}>
        <span className={css['moon']} />
        <input
          className={css['input']}
          role="combobox"
          aria-label="A thought, or words to find"
          aria-expanded={choices.length > 0}
          aria-controls={`${id}-list`}
          aria-activedescendant={choices.length > 0 ? `${id}-${chosen}` : undefined}
          aria-autocomplete="list"
          ref={field}
          autoComplete="off"
          dir="auto"
          placeholder={canWrite ? 'Write down a thought, or find one' : 'Find or ask'}
          value={typed}
          onChange={(event) => type(event.target.value)}
          onKeyDown={(event) => {
            if (event.nativeEvent.isComposing) return;
            if (event.key === 'Escape') return typed === '' ? onDone?.() : type('');
            const does: Partial<Record<string, () => void>> = {
              ArrowDown: () => step(1),
              ArrowUp: () => step(-1),
              Enter: enter,
            };
            const isKeeping = event.key === 'Enter' && (event.ctrlKey || event.metaKey);
            const run = isKeeping ? () => canWrite && keep(typed) : does[event.key];
            if (!run) return;
            event.preventDefault();
            run();
          }}
        />
        {canWrite && <HomeSelect {...home} />}
      </div>
      <ul className={css['choices']} role="listbox" id={`${id}-list`} aria-label="What to do with it">
        {choices.map((choice, index) => (
          <li
            key={choice.kind === 'open' ? JSON.stringify([choice.namespace, choice.key]) : choice.kind}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === chosen}
            className={css['choice']}
            onPointerMove={() => setAt(index)}
            onClick={() => act(choice, typed)}
          >
            <ChoiceLine choice={choice} found={found} />
            <Keys of={choice} isChosen={index === chosen} />
          </li>
        ))}
      </ul>
      <p className={css['said']} role="status">
        {kept ? (
          <>
            <span>
              Kept in {kept.namespace} as <bdi>{kept.key}</bdi>
            </span>
            <Button look="quiet" onClick={() => takeBack(kept)}>
              Take back
            </Button>
          </>
        ) : (
          typed === '' && (
            <span>
              Enter opens what fits.{canWrite && ' Ctrl Enter keeps a thought.'} Begin with ? to ask. Esc
              closes.
            </span>
          )
        )}
      </p>
    </main>
  );
}

/** What is shown of what was found: nothing that only comes near. */
function strongOf<Hit extends { weaker?: boolean | undefined }>(hits: readonly Hit[]): Hit[] {
  return hits.filter(({ weaker }) => !weaker).slice(0, SHOWN);
}

/** The keys of a choice, while Enter does it or where it has one of its own. */
function Keys({ of, isChosen }: { of: QuickChoice; isChosen: boolean }) {
  if (isChosen) return <kbd className={css['key']}>↵</kbd>;
  return of.kind === 'keep' && <kbd className={css['key']}>Ctrl ↵</kbd>;
}

interface ChoiceLineProps {
  choice: QuickChoice;
  found: readonly {
    namespace: string;
    key: string;
    title: string;
    passage?: Parameters<typeof markedPassage>[0] | undefined;
  }[];
}

function ChoiceLine({ choice, found }: ChoiceLineProps) {
  switch (choice.kind) {
    case 'keep':
      return (
        <>
          <Icon name="plus" />
          <span className={css['what']}>Keep it</span>
        </>
      );
    case 'ask':
      return (
        <>
          <Icon name="ask" />
          <span className={css['what']}>
            <span className={css['title']} dir="auto">
              Ask “<bdi>{choice.question}</bdi>”
            </span>
          </span>
        </>
      );
    case 'open': {
      const hit = found.find((one) => one.namespace === choice.namespace && one.key === choice.key);
      return (
        <>
          <Icon name="note" />
          <span className={css['what']} dir="auto">
            <span className={css['title']}>{hit?.title === '' ? choice.key : hit?.title}</span>
            {hit?.passage && hit.passage.text !== hit.title && (
              <span className={css['passage']}>
                <Marked {...markedPassage(hit.passage)} isShort />
              </span>
            )}
          </span>
          <span className={css['where']}>{choice.namespace}</span>
        </>
      );
    }
  }
}
