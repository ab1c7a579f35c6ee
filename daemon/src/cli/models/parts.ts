import { InvalidArgumentError, Option } from 'commander';
import { ModelPart, modelParts } from '@reverie/shared/contract/system/models';

/** `--for ask,dreams`: parts with commas between them. */
export function partsOption(description: string): Option {
  return new Option('--for <parts>', `${description}: ${modelParts.join(', ')}, with commas`).argParser(
    partsOf,
  );
}

function partsOf(text: string): ModelPart[] {
  const parts = text.split(',').map((part) => ModelPart.safeParse(part.trim()).data);
  const known = parts.filter((part) => part !== undefined);
  if (known.length < parts.length)
    throw new InvalidArgumentError(
      `It must be one or more of ${modelParts.join(', ')}, with commas between.`,
    );
  return [...new Set(known)];
}
