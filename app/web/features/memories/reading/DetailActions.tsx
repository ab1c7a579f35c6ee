import type { Memory } from '@reverie/shared/contract/memories/memories';
import { notify } from '../../../platform/notices.ts';
import { useGo } from '../../../platform/place.ts';
import { IconButton } from '../../../ui/Button.tsx';
import { Menu, MenuItem, MenuLine } from '../../../ui/Menu.tsx';
import { asMarkdown } from '../../../ui/reading/as-markdown.ts';
import css from './DetailActions.module.css';
import type { DetailProps } from './detail-props.ts';

/** What can be done to the memory that is open: the frequent at once, the rest in a menu. */
export function DetailActions({ memory, mode, acts, onMode, onDo }: DetailProps & { memory: Memory }) {
  const toMap = useGo('/map');
  const showMap = () =>
    toMap({ namespace: memory.namespace, key: memory.key, in: undefined, q: undefined, mode: undefined });
  const isWriting = mode === 'edit';
  const toggleHistory = () => onMode(mode === 'history' ? 'read' : 'history');
  const historyName = mode === 'history' ? 'Hide history' : 'History';
  const copy = (text: string, what: string) => {
    navigator.clipboard.writeText(text).then(
      () => notify('good', `${what} is on the clipboard.`),
      () => notify('bad', 'The browser did not allow copying. Select the text and copy it by hand.'),
    );
  };
  return (
    <>
      {acts.canWrite && !isWriting && (
        <IconButton icon="edit" label="Edit" shortcut="e" onClick={() => onMode('edit')} />
      )}
      <span className={css['roomy']}>
        <IconButton
          icon="history"
          label={historyName}
          aria-pressed={mode === 'history'}
          onClick={toggleHistory}
        />
        <IconButton icon="map" label="Show on the map" onClick={showMap} />
        {acts.canWrite && (
          <IconButton icon="trash" label="Delete" shortcut="#" onClick={() => acts.trash([memory])} />
        )}
      </span>
      <Menu icon="more" label="More">
        <MenuItem icon="copy" onSelect={() => copy(memory.value, 'The text')}>
          Copy text
        </MenuItem>
        <MenuItem onSelect={() => copy(asMarkdown(memory.value, memory.title), 'The note')}>
          Copy as Markdown
        </MenuItem>
        <MenuItem onSelect={() => acts.copyLink(memory)}>Copy link</MenuItem>
        <MenuItem onSelect={() => window.print()}>Print…</MenuItem>
        <MenuLine />
        <MenuItem icon="history" onSelect={toggleHistory}>
          {historyName}
        </MenuItem>
        <MenuItem icon="map" onSelect={showMap}>
          Show on the map
        </MenuItem>
        {acts.canWrite && (
          <>
            <MenuLine />
            <MenuItem icon="tag" shortcut="t" onSelect={() => acts.tag([memory])}>
              Tag…
            </MenuItem>
            <MenuItem shortcut="r" onSelect={() => acts.rename(memory)}>
              Rename…
            </MenuItem>
            <MenuItem icon="folder" shortcut="m" onSelect={() => acts.move([memory])}>
              Move…
            </MenuItem>
            <MenuItem onSelect={() => onDo('details', [memory])}>Details…</MenuItem>
            <MenuLine />
            <MenuItem icon="trash" shortcut="#" onSelect={() => acts.trash([memory])}>
              Move to the trash
            </MenuItem>
            <MenuItem danger onSelect={() => onDo('forGood', [memory])}>
              Delete for good…
            </MenuItem>
          </>
        )}
      </Menu>
    </>
  );
}
