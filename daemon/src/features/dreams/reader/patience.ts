import { type LanguageModel, ModelFailure, type Prompt } from '../../../models/language-model.ts';

/** A model for as long as it is of use in one dream. */
export interface PatientModel {
  /** The answer; undefined where there is none that can be used. */
  ask<T>(prompt: Prompt<T>): Promise<T | undefined>;
  /** Why it is not asked any more in this dream; undefined while it is. */
  silence(): string | undefined;
  /** Questions that it answered something of use to, and nothing of use. */
  useful(): number;
  useless(): number;
}

/** Answers of no use, one after the other, after which a model is left alone. */
const PATIENCE = 3;

/** Asks a model until it fails, or has answered nothing of use too often in a row. A useless answer costs its own question, and no more. */
export function patientModel(model: LanguageModel): PatientModel {
  let useful = 0;
  let useless = 0;
  let inARow = 0;
  let silence: string | undefined;
  return {
    silence: () => silence,
    useful: () => useful,
    useless: () => useless,
    async ask(prompt) {
      if (silence !== undefined) return undefined;
      try {
        const { value } = await model.generate(prompt);
        inARow = 0;
        useful += 1;
        return value;
      } catch (cause) {
        if (!(cause instanceof ModelFailure)) throw cause;
        if (cause.kind !== 'garbage') silence = cause.message;
        else {
          useless += 1;
          inARow += 1;
          if (inARow >= PATIENCE) silence = 'its answers were of no use';
        }
        return undefined;
      }
    },
  };
}
