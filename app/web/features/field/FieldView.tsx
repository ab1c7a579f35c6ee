import { useQuery } from '@tanstack/react-query';
import { Command } from 'cmdk';
import { useEffect, useState, type ReactNode } from 'react';
import { wallClock } from '../../platform/clock.ts';
import { debounce } from '../../platform/debounce.ts';
import { markedPassage } from '../../platform/passage.ts';
import { Icon, type IconName } from '../../ui/Icon.tsx';
import { Marked } from '../../ui/Marked.tsx';
import css from './FieldView.module.css';
import { fittingEntries, type FieldEntry } from './fitting.ts';
import { everywhereQuery, recentQuery } from './queries.ts';

interface FieldProps {
  entries: readonly FieldEntry[];
  onOpen: (memory: { namespace: string; key: string }) => void;
  onAsk: (question: string) => void;
  onSearch: (text: string) => void;
}

/** With these one chooses oneself, and no result that comes in later takes that back. */
const MOVES = ['ArrowDown', 'ArrowUp', 'Home', 'End'];
/** How long one stops typing before memories are searched, ms. */
const PAUSE_MS = 120;

/** One field for everything: memories of all namespaces, a question, views and actions. */
export function FieldView({ entries, onOpen, onAsk, onSearch }: FieldProps) {
  const [typed, setTyped] = useState('');
  const [settled, setSettled] = useState('');
  const [pause] = useState(() => debounce<string>(wallClock, PAUSE_MS, setSettled));
  useEffect(() => pause.cancel, [pause]);
  const text = typed.trim();
  const isQuestion = text.startsWith('?');
  const said = isQuestion ? text.slice(1).trim() : text;
  const fitting = isQuestion ? [] : fittingEntries(entries, text);
  const found = useFound(said === '' ? '' : settled);
  const [chosen, setChosen] = useState('');
  const [isMoved, setMoved] = useState(false);
  // What is named by its beginning is meant; else what Enter opens is what fits best, though it comes in a moment later.
  const named = fitting.find(
    ({ label }) => text !== '' && label.toLowerCase().startsWith(text.toLowerCase()),
  );
  const [first] = isQuestion ? [] : found.shown;
  const otherwise = said === '' ? '' : 'ask';
  const best = named?.id ?? (first ? idOf(first) : otherwise);
  useEffect(() => {
    if (!isMoved) setChosen(best);
  }, [best, isMoved]);
  return (
    <Command
      label="Find or ask"
      shouldFilter={false}
      loop
      value={chosen}
      onValueChange={setChosen}
      onKeyDown={({ key }) => MOVES.includes(key) && setMoved(true)}
      className={css['field']}
    >
      <div className={css['line']}>
        <Icon name={isQuestion ? 'ask' : 'search'} />
        <Command.Input
          data-first
          className={css['input']}
          placeholder="Find, ask with ?, or go to"
          value={typed}
          onValueChange={(next) => {
            setTyped(next);
            setMoved(false);
            pause.push(next.trim().replace(/^\?\s*/, ''));
          }}
        />
      </div>
      <Command.List className={css['list']} label="What fits">
        {isQuestion && said === '' && (
          <p className={css['hint']}>Write a question after the question mark.</p>
        )}
        {isQuestion && said !== '' && (
          <Group name="Ask">
            <Item id="ask" icon="ask" onSelect={() => onAsk(said)}>
              Ask “{said}”
            </Item>
          </Group>
        )}
        {named && <Entries group={named.group} entries={[named]} />}
        {text === '' && <Recent onOpen={onOpen} />}
        {said !== '' && settled !== '' && <Found {...found} onOpen={onOpen} />}
        {!isQuestion && said !== '' && (
          <Group name="More">
            <Item id="ask" icon="ask" onSelect={() => onAsk(said)}>
              Ask “{said}”
            </Item>
            <Item id="search" icon="search" onSelect={() => onSearch(said)}>
              Search all namespaces for “{said}”
            </Item>
          </Group>
        )}
        {(['Go to', 'Do'] as const).map((group) => (
          <Entries
            key={group}
            group={group}
            entries={fitting.filter((entry) => entry.group === group && entry !== named)}
          />
        ))}
      </Command.List>
      <footer className={css['foot']}>
        <span>
          <kbd>↑</kbd> <kbd>↓</kbd> move
        </span>
        <span>
          <kbd>Enter</kbd> opens
        </span>
        <span>
          <kbd>?</kbd> asks
        </span>
      </footer>
    </Command>
  );
}

function Entries({ group, entries }: { group: string; entries: readonly FieldEntry[] }) {
  if (entries.length === 0) return null;
  return (
    <Group name={group}>
      {entries.map(({ id, icon, label, shortcut, run }) => (
        <Item key={id} id={id} icon={icon} shortcut={shortcut} onSelect={run}>
          {label}
        </Item>
      ))}
    </Group>
  );
}

type OnOpen = FieldProps['onOpen'];

/** The memories that fit a text; weaker ones only where there is nothing better. */
function useFound(text: string) {
  const { data = [], isPending, isError } = useQuery(everywhereQuery(text));
  const strong = data.filter(({ weaker }) => !weaker);
  const best = strong.length > 0 ? strong : data.slice(0, 3);
  const shown = text === '' ? [] : best;
  return { shown, isStrong: strong.length > 0, isPending, isError };
}

function Found({
  shown,
  isStrong,
  isPending,
  isError,
  onOpen,
}: ReturnType<typeof useFound> & { onOpen: OnOpen }) {
  if (isError) return <p className={css['hint']}>Memories cannot be searched at the moment.</p>;
  if (shown.length === 0)
    return <p className={css['hint']}>{isPending ? 'Looking…' : 'No memory fits these words.'}</p>;
  return (
    <Group name={isStrong ? 'Memories' : 'Nothing fits well; nearest'}>
      {shown.map((hit) => (
        <Item key={idOf(hit)} id={idOf(hit)} icon="note" aside={hit.namespace} onSelect={() => onOpen(hit)}>
          <span className={css['title']}>{hit.title}</span>
          {hit.passage && hit.passage.text !== hit.title && (
            <span className={css['passage']}>
              <Marked {...markedPassage(hit.passage)} isShort />
            </span>
          )}
        </Item>
      ))}
    </Group>
  );
}

function idOf({ namespace, key }: { namespace: string; key: string }): string {
  return JSON.stringify([namespace, key]);
}

function Recent({ onOpen }: { onOpen: OnOpen }) {
  const { data = [] } = useQuery(recentQuery);
  if (data.length === 0) return null;
  return (
    <Group name="Changed last">
      {data.map((memory) => (
        <Item
          key={idOf(memory)}
          id={idOf(memory)}
          icon="note"
          aside={memory.namespace}
          onSelect={() => onOpen(memory)}
        >
          <span className={css['title']}>{memory.title}</span>
        </Item>
      ))}
    </Group>
  );
}

function Group({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Command.Group heading={name} className={css['group']}>
      {children}
    </Command.Group>
  );
}

interface ItemProps {
  id: string;
  icon: IconName;
  shortcut?: string | undefined;
  /** At the end of the line, small. */
  aside?: string;
  onSelect: () => void;
  children: ReactNode;
}

function Item({ id, icon, shortcut, aside, onSelect, children }: ItemProps) {
  return (
    <Command.Item value={id} className={css['item']} onSelect={onSelect}>
      <Icon name={icon} />
      <span className={css['what']} dir="auto">
        {children}
      </span>
      {aside !== undefined && <span className={css['aside']}>{aside}</span>}
      {shortcut !== undefined && <kbd>{shortcut}</kbd>}
    </Command.Item>
  );
}
