import { FoundModel } from '@reverie/shared/contract/system/models';
import { z } from 'zod';

// What strangers say is read leniently: a field that is not as it should be is one that was not said.

/** How many models of one server are listed at most. */
export const MOST_MODELS = 200;

export const nameOf = FoundModel.shape.name;

/** Bytes, or null. */
export const whole = z
  .int()
  .nonnegative()
  .nullish()
  .catch(null)
  .transform((given) => given ?? null);

/** A count of tokens, or null; 0 is read as null, for it says nothing. */
export const tokens = z
  .int()
  .positive()
  .nullish()
  .catch(null)
  .transform((given) => given ?? null);
