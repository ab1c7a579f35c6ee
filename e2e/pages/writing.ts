import type { Locator, Page } from 'playwright-core';

/** The text that is being written. */
export function sheet(page: Page): Locator {
  return page.getByRole('textbox', { name: 'Text', exact: true });
}

/** Writes other words in the place of all that stands in the sheet. */
export async function rewrite(page: Page, text: string): Promise<void> {
  await sheet(page).focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(text);
}

/** Puts the caret at the end of what is written. */
export async function toEnd(page: Page): Promise<void> {
  await sheet(page).focus();
  await page.keyboard.press('Control+End');
}

/** What the line below the sheet says. */
export function saved(page: Page): Locator {
  return page.getByRole('status').filter({ hasText: /^Saved$/ });
}

/** What is offered where one writes. */
export function offered(page: Page, name: RegExp): Locator {
  return page.getByRole('listbox', { name: 'Completions' }).getByRole('option', { name });
}
