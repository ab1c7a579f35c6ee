import { useState } from 'react';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { Field } from '../../../ui/Field.tsx';
import { Snippet } from '../../../ui/Message.tsx';
import { agentName } from '../words.ts';
import type { ActingProps } from './acting.ts';

/** The agents that `reverie sessions resume` begins a session in. */
const RESUMED_IN = ['claude-code', 'codex'] as const;

/** The command with which a session goes on, in the same agent or in the other. */
export function ResumeSession({ session, onClose }: ActingProps) {
  const [agent, setAgent] = useState<(typeof RESUMED_IN)[number]>(
    RESUMED_IN.find((one) => one === session.agent) ?? 'claude-code',
  );
  const command = `reverie sessions resume ${session.id} --in ${agent}`;
  return (
    <Dialog title="Go on in an agent" onClose={onClose}>
      <p>
        Run this in a terminal, in the folder of the project. Where the agent is known to open it, it goes on
        with all that was said; else it begins with what matters of it as its first prompt.
      </p>
      <Field label="Agent">
        {(control) => (
          <select
            {...control}
            data-first
            value={agent}
            onChange={({ target }) =>
              setAgent(RESUMED_IN.find((one) => one === target.value) ?? 'claude-code')
            }
          >
            {RESUMED_IN.map((one) => (
              <option key={one} value={one}>
                {agentName(one)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Snippet action={<CopyButton text={command} what="command" />}>{command}</Snippet>
    </Dialog>
  );
}
