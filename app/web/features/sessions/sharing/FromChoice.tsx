import { ToggleGroup } from 'radix-ui';
import choice from '../../../ui/Choice.module.css';
import css from './ShareDialog.module.css';

const FROM = [
  ['start', 'From the start'],
  ['now', 'From now on'],
] as const;

interface FromChoiceProps {
  from: 'start' | 'now';
  onFrom: (from: 'start' | 'now') => void;
}

/** Chooses from where others read a session: its start, or now. One that is shared already keeps its beginning. */
export function FromChoice({ from, onFrom }: FromChoiceProps) {
  return (
    <ToggleGroup.Root
      type="single"
      className={`${choice['group']} ${css['from']}`}
      aria-label="From where it is shared"
      value={from}
      // Pressed once more it stays as it is.
      onValueChange={(value) => value !== '' && onFrom(value === 'now' ? 'now' : 'start')}
    >
      {FROM.map(([value, label]) => (
        <ToggleGroup.Item key={value} value={value} className={choice['one']}>
          {label}
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  );
}
