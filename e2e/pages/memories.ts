import type { Locator, Page } from 'playwright-core';
import { rewrite, sheet } from './writing.ts';

/** The rows of the list or of the search results; with `text` only those that say so, or have such a key. */
export function rows(page: Page, text?: string | RegExp): Locator {
  const all = page.getByRole('option').and(page.locator('[id^="row-"]'));
  return text === undefined ? all : all.filter({ hasText: text }).or(all.and(page.getByTitle(text)));
}

/** Opens a memory of the list by its key, and waits for its text. */
export async function openMemory(page: Page, key: string): Promise<void> {
  await rows(page)
    .and(page.getByTitle(key, { exact: true }))
    .click();
  await detail(page, key).waitFor();
  await value(page).waitFor();
}

export function detail(page: Page, key: string): Locator {
  return page
    .getByRole('article')
    .filter({ has: page.getByRole('button', { name: `Copy key ${key}`, exact: true }) });
}

export function value(page: Page): Locator {
  return page.getByTestId('value');
}

export function search(page: Page): Locator {
  return page.getByRole('searchbox');
}

export function button(page: Page, name: string): Locator {
  return page.getByRole('button', { name, exact: true });
}

/** Writes a new memory, or other words into the one that is open, and is done with it. */
export async function write(
  page: Page,
  fields: { key?: string; namespace?: string; value?: string; metadata?: string },
): Promise<void> {
  if (fields.value !== undefined) await rewrite(page, fields.value);
  if (fields.key !== undefined) await page.getByLabel('Key', { exact: true }).fill(fields.key);
  if (fields.namespace !== undefined)
    await page.getByRole('combobox', { name: 'Namespace', exact: true }).last().fill(fields.namespace);
  if (fields.metadata !== undefined) {
    await button(page, 'Tags, and until when it is kept').click();
    await writeMetadata(page, fields.metadata);
  }
  await sheet(page).focus();
  await page.keyboard.press('Control+Enter');
}

/** Fills in the metadata of a memory as JSON, where its details are. */
export async function writeMetadata(page: Page, json: string): Promise<void> {
  const metadata = page.getByLabel('Metadata', { exact: true });
  if (!(await metadata.isVisible())) await page.getByText('Advanced', { exact: true }).click();
  await metadata.fill(json);
}

/** Views of the rooms of the page, by what leads to them in the sidebar or the menu. */
const IN_ROOM: Readonly<Record<string, { room: string; tab?: string }>> = {
  Dreams: { room: 'Review' },
  Inbox: { room: 'Review' },
  Agents: { room: 'Connections' },
  Devices: { room: 'Connections' },
  Folders: { room: 'Connections' },
  Models: { room: 'Connections' },
  Webhooks: { room: 'Connections' },
  Events: { room: 'Connections' },
  'API keys': { room: 'Connections' },
  Accounts: { room: 'Connections' },
  Status: { room: 'Settings', tab: 'How it is doing' },
};

/** Goes to a view of a wide window as a person does, or chooses something from the page's menu. */
export async function choose(page: Page, item: string): Promise<void> {
  const place = IN_ROOM[item];
  const link = (nav: string, name: string) =>
    page
      .getByRole('navigation', { name: nav, exact: true })
      .getByRole('link', { name: new RegExp(`^${name}`) });
  if (place) {
    await choose(page, place.room);
    await link(place.room, place.tab ?? item).click();
  } else if (item === 'Settings') await page.getByRole('link', { name: item, exact: true }).first().click();
  else if (['Today', 'Memories', 'Ask', 'Sessions', 'Review', 'Connections'].includes(item))
    await link('Views', item).click();
  else {
    await button(page, 'Menu').click();
    await page.getByRole('menuitem', { name: item }).click();
  }
}

/** The namespace's row in the sidebar of a wide window. */
export function namespaceRow(page: Page, namespace: string): Locator {
  return page.getByRole('navigation', { name: 'Namespaces' }).getByTitle(namespace, { exact: true });
}
