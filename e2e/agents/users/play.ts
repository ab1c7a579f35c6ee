import { setTimeout as pause } from 'node:timers/promises';
import type { ModelRequest } from '../model/fake-model.ts';
import type { ModelCall, ModelTurn } from '../model/protocol.ts';

/** What the model has an agent do. */
export type Action =
  | { kind: 'shell'; command: string; says: string; fails: boolean }
  | { kind: 'write'; file: string; content: string }
  | { kind: 'memory'; tool: string; args: Record<string, unknown>; says: string }
  /** Something that this agent alone does, such as looking for a tool. */
  | { kind: 'own'; call: ModelCall };

/** One reply of the model to a prompt: words, and what is to be done. */
export interface Turn {
  says?: string;
  does?: Action;
}

/** A prompt, and what the model does about it, reply by reply. */
export interface Scene {
  name: string;
  /** What stands in the prompt. */
  prompt: string;
  turns: readonly Turn[];
}

/** A reply that the model gave in a scene, and the request that it answered. */
export interface Taken {
  scene: string;
  turn: number;
  request: ModelRequest;
}

export interface Play {
  answer(request: ModelRequest): Promise<ModelTurn>;
  taken: Taken[];
  /** Calls of tools that the agent did not offer. */
  unoffered: string[];
}

/** What a real model takes at least for its first reply, ms: servers of tools that start with the agent are there then. */
const FIRST_REPLY = 3_000;

/**
 * Plays the model: the last prompt that stands in a scene says which one, and the results of tools behind it how far it is. What an agent
 * asks beside its work, such as a title for what was asked, has no tools, or says so.
 */
export function createPlay(scenes: readonly Scene[], callOf: (action: Action) => ModelCall): Play {
  const play: Play = {
    taken: [],
    unoffered: [],
    async answer(request) {
      const { messages, tools, body } = request;
      const at = messages.findLastIndex(({ role, text }) => role === 'user' && sceneOf(text) !== undefined);
      const text = messages[at]?.text ?? '';
      const scene = sceneOf(text);
      if (!scene || tools.length === 0 || /\btitle\b/iu.test(text.slice(0, text.indexOf(scene.prompt))))
        return {
          text: body.includes('"title\\"') || body.includes('"title"') ? '{"title": "Invoices"}' : 'Invoices',
          calls: [],
        };
      const done = messages.slice(at + 1).filter(({ role }) => role === 'tool').length;
      const index = Math.min(done, scene.turns.length - 1);
      if (index === 0) await pause(FIRST_REPLY);
      play.taken.push({ scene: scene.name, turn: index, request });
      const { says = '', does } = scene.turns[index] ?? {};
      const calls = does ? [callOf(does)] : [];
      for (const { name } of calls)
        if (!tools.some((tool) => tool.name === name))
          play.unoffered.push(`${name}, among ${tools.map((tool) => tool.name).join(' ')}`);
      return { text: says, calls };
    },
  };
  // A hand-over quotes prompts of the session before: the scene that stands first in the list counts.
  const sceneOf = (text: string) => scenes.find(({ prompt }) => text.includes(prompt));
  return play;
}
