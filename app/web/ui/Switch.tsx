import { Switch as RadixSwitch } from 'radix-ui';
import css from './Switch.module.css';

interface SwitchProps {
  label: string;
  isOn: boolean;
  isDisabled?: boolean;
  onChange: (isOn: boolean) => void;
}

/** Turns something on or off at once. */
export function Switch({ label, isOn, isDisabled = false, onChange }: SwitchProps) {
  return (
    <RadixSwitch.Root
      className={css['switch']}
      aria-label={label}
      checked={isOn}
      disabled={isDisabled}
      onCheckedChange={onChange}
    >
      <RadixSwitch.Thumb className={css['thumb']} />
    </RadixSwitch.Root>
  );
}
