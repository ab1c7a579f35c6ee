import { agentTitle } from '@reverie/shared/contract/sessions/coding-agents';
import { type ResumingAgent, resumingAgents } from '@reverie/shared/contract/sessions/session-export';
import { useState } from 'react';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { Field } from '../../../ui/Field.tsx';
import { Snippet } from '../../../ui/Message.tsx';
import type { ActingProps } from './acting.ts';

/** The command with which a session goes on, in the same agent or in the other. */
export function ResumeSession({ session, onClose }: ActingProps) {
  const [agent, setAgent] = useState<ResumingAgent>(
    resumingAgents.find((one) => one === session.agent) ?? 'claude-code',
  );
  const command = `reverie sessions resume ${session.id} --in ${agent}`;
  return (
    <Dialog title="Go on in an agent" onClose={onClose}>
      <p>
        Run this in a terminal, in the folder of the project. An agent that can open the session goes on with
        all that was said; another begins with what matters of it.
      </p>
      <Field label="Agent">
        {(control) => (
          <select
            {...control}
            data-first
            value={agent}
            onChange={({ target }) =>
              setAgent(resumingAgents.find((one) => one === target.value) ?? 'claude-code')
            }
          >
            {resumingAgents.map((one) => (
              <option key={one} value={one}>
                {agentTitle(one)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Snippet action={<CopyButton text={command} what="command" />}>{command}</Snippet>
    </Dialog>
  );
}
