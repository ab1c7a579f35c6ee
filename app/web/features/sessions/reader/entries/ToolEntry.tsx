import { Link } from '@tanstack/react-router';
import { Icon, type IconName } from '../../../../ui/Icon.tsx';
import { useActs } from '../acts.ts';
import css from './Entry.module.css';
import { hasFailed, type ReaderRow } from './rows.ts';
import { ToolBody } from './ToolBody.tsx';
import { withoutFolder } from '../../words.ts';
import { aboutOf, shortLine } from './tool-words.ts';

/** A call of a tool, folded to one line: its name, what it is about, and what came of it. */
export function ToolEntry({ row }: { row: ReaderRow }) {
  const { folder, isOpen, toggle } = useActs();
  const { entry, result } = row;
  const open = isOpen(entry.id);
  const { word, icon, tone } = stateOf(row);
  const child = entry.child ?? result?.child ?? null;
  return (
    <div className={css['tool']} data-tone={tone}>
      <button
        type="button"
        className={css['line']}
        aria-expanded={open}
        onClick={() => toggle(entry.id)}
        data-open={open}
      >
        <Icon name="right" />
        <code className={css['name']}>{entry.tool?.name ?? result?.tool?.name ?? 'tool'}</code>
        <span className={css['about']} dir="auto">
          {withoutFolder(entry.kind === 'tool_call' ? aboutOf(entry) : shortLine(entry.text), folder)}
        </span>
        <span className={css['state']} data-tone={tone}>
          {icon && <Icon name={icon} />}
          {word}
        </span>
      </button>
      {child !== null && (
        <Link to="/sessions/$id" params={{ id: child }} search={{}} className={css['child']}>
          <Icon name="agent" /> Open the subagent’s session
        </Link>
      )}
      {open && <ToolBody row={row} />}
    </div>
  );
}

function stateOf(row: ReaderRow): { word: string; icon?: IconName; tone: 'bad' | 'good' | 'plain' } {
  if (hasFailed(row)) return { word: 'failed', icon: 'warn', tone: 'bad' };
  if (row.entry.kind === 'tool_result') return { word: 'result', tone: 'plain' };
  if (!row.result) return { word: 'no result yet', tone: 'plain' };
  return { word: 'done', icon: 'check', tone: 'good' };
}
