import { describe, expect, test } from 'vitest';
import { hasBrowser } from '../chromium.ts';
import { axeFindings } from '../pages/accessibility.ts';
import { setStage } from '../stage.ts';

const VAULT = {
  'plans/garden.md':
    '# The garden\n\nWhat [[Compost heap|the heap]] needs is in [the shed](../shed.md#Tools); ask [[Nora]]. Next: [[Bean trellis]].\n\n![[Compost heap]]\n\nMore in [[#Later on]] and in the [licence](LICENSE.pdf).\n\n## Later on\n\nBeans.',
  'Compost heap.md': '---\naliases: [Humus]\n---\n# Compost heap\n\nTurn it in April.\n\n![[garden]]',
  'shed.md': '# Tools\n\nA fork, beside the compost heap.',
  'people/Nora.md': 'Knows all about humus.',
};

describe.skipIf(!hasBrowser)('links of a note', () => {
  const stage = setStage();

  test('of Logseq say what their blocks say, and show the pages that are embedded', async () => {
    const [one, gone] = ['1', '9'].map((at) => `6590d2a1-0000-4000-8000-00000000000${at}`);
    await stage.store('graph', {
      'pages/Heap.md': `- Garden\n\t- Turn the **heap**\n\t  id:: ${one}`,
      'pages/From.md': `- Both ((${one})) and ((${gone})).\n- {{embed [[Heap]]}}\n\t- below\n- {{embed [[From]]}}`,
    });
    const page = await stage.signedInAt('/memories?namespace=graph&key=pages%2FFrom.md');
    const shown = page.getByTestId('value');
    await shown.getByRole('region', { name: 'From Garden' }).getByText('Turn the heap').waitFor();
    await shown.getByText(`and ((${gone})).`).first().waitFor();
    // A page within itself is shown once.
    expect(await shown.getByRole('region').count()).toBe(2);
    expect(await axeFindings(page)).toEqual([]);
    await shown.getByRole('link', { name: 'Turn the heap', exact: true }).first().click();
    await page.getByRole('article', { name: 'Garden' }).waitFor();
  });

  test('open what they lead to, say what is not written yet, and show what links back', async () => {
    await stage.store('vault', VAULT);
    const page = await stage.signedInAt('/memories?namespace=vault&key=plans%2Fgarden.md');
    const value = page.getByTestId('value');
    const dead = value.getByRole('link', { name: 'Bean trellis' });
    await dead.and(page.locator('[data-dead]')).waitFor();
    expect(await value.locator('[data-dead]').count()).toBe(1);
    expect(await value.getByText('licence').locator('xpath=self::a').count()).toBe(0);

    const embedded = value.getByRole('region', { name: 'From Compost heap' });
    await embedded.getByText('Turn it in April.').waitFor();
    // One level: what it would show itself is a link.
    await embedded.getByRole('link', { name: 'garden' }).waitFor();
    expect(await value.getByRole('region').count()).toBe(1);
    expect(await axeFindings(page)).toEqual([]);

    await value.getByRole('link', { name: 'Later on' }).click();
    await expect.poll(() => page.locator(':focus').innerText()).toBe('Later on');

    await value.getByRole('link', { name: 'the shed' }).click();
    await page.getByRole('heading', { name: 'Tools', level: 2 }).waitFor();
    const linking = page.getByRole('list', { name: 'What links here' });
    await linking.getByRole('button', { name: /^garden/ }).click();
    await value.getByRole('link', { name: 'the heap' }).click();
    await page.getByRole('heading', { name: 'Compost heap', level: 2 }).waitFor();
    const mentioning = page.getByRole('list', { name: 'Mentioned, not linked' });
    await page.getByText('Mentioned, not linked').click();
    await mentioning.getByText('Knows all about humus.').waitFor();
    await mentioning.getByText('A fork, beside the compost heap.').waitFor();
    expect(await axeFindings(page)).toEqual([]);
  });

  test('that is dead offers to write what it names', async () => {
    await stage.store('begun', { 'a.md': 'See [[Bean trellis]].' });
    const page = await stage.signedInAt('/memories?namespace=begun&key=a.md');
    await page.locator('[data-dead]').click();
    await page.getByRole('heading', { name: 'This memory does not exist' }).waitFor();
    await page.getByRole('button', { name: 'Write it' }).click();
    await expect.poll(() => page.getByRole('textbox', { name: 'Key' }).inputValue()).toBe('Bean trellis.md');
    await page.getByRole('textbox', { name: 'Text' }).fill('Of hazel.');
    await page.getByRole('button', { name: 'Remember' }).click();
    await expect.poll(() => stage.count('begun')).toBe(2);
    expect((await stage.stored('begun', 'Bean trellis.md')).value).toBe('Of hazel.');
  });
});
