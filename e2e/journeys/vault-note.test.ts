import { describe, expect, test } from 'vitest';
import { axeFindings } from '../pages/accessibility.ts';
import { pageWidth, setStage } from '../stage.ts';

const EVERYTHING = `---
title: Everything
date: 2026-11-04
status: open
authors: [Ada, Grace]
see: "[[beta]]"
---
Mass and energy: $E=mc^2$, for $5 and $10, and a root $\\sqrt{\\frac{a_1}{b}}$.

$$
\\int_0^\\infty e^{-x^2}\\,dx = \\frac{\\sqrt{\\pi}}{2}
$$

> [!tip] Water *early*
> Before the sun is up.

> [!warning]- Folded
> What is hidden.

\`\`\`mermaid
graph TD
  A[Note] -->|links to| B(Other)
  B --> C{Known?}
  C -->|yes| D[Open]
\`\`\`

A claim.[^1] What is ==marked **well**== %%and what nobody reads%% stays.

%%

# A draft

%%

# Outline
\t- see [[beta]]
\t- second
\t\t- status:: open
\t\t- third

[^1]: Its source.
`;

describe('a note of a vault', () => {
  const stage = setStage();

  test('shows formulas, diagrams, callouts, properties and outlines, and fetches nothing elsewhere', async () => {
    await stage.store('vault', { 'everything.md': EVERYTHING, beta: 'Beta' });
    for (const colorScheme of ['light', 'dark'] as const)
      for (const width of [1440, 390]) {
        const page = await stage.signedInAt('/memories?namespace=vault&key=everything.md', {
          viewport: { width, height: 2200 },
          colorScheme,
        });
        const text = page.getByTestId('value');
        await text.locator('.katex').nth(2).waitFor();
        expect(await text.locator('.katex-display').count()).toBe(1);
        await text.getByRole('group', { name: 'Diagram' }).waitFor();
        await text.getByRole('note').getByText('Before the sun is up.').waitFor();
        expect(await text.getByText('What is hidden.').isVisible()).toBe(false);
        await text.getByText('Folded').click();
        expect(await text.getByText('What is hidden.').isVisible()).toBe(true);
        await text.getByText('status', { exact: true }).waitFor();
        await text.getByRole('listitem').getByText('second').waitFor();
        expect(await text.getByText('for $5 and $10').count()).toBe(1);
        expect(await text.locator('mark').allInnerTexts()).toEqual(['marked well']);
        expect(await text.getByText(/nobody reads|A draft|%%|==/u).count()).toBe(0);
        expect(await pageWidth(page)).toBe(width);
        expect(await axeFindings(page)).toEqual([]);
      }
  });

  test('that is no formula and no diagram is shown as it is written', async () => {
    const formulas = [
      '$\\def\\a{\\a\\a}\\a$',
      '$\\nothing{$',
      `$${'{'.repeat(1_500)}$`,
      '$\\href{javascript:alert(1)}{x}$',
    ];
    const long = `$$\n${'x^2 + '.repeat(30_000)}\n$$`;
    const diagrams = [
      'graph TD\n  A[<img src=x onerror=alert(1)>] --> ',
      `graph TD\n${'A-->B\n'.repeat(9_000)}`,
    ];
    const blocks = diagrams.map((source) => `\`\`\`mermaid\n${source}\n\`\`\``);
    await stage.store('vault', { 'hostile.md': [...formulas, ...blocks, 'The end.', long].join('\n\n') });
    const page = await stage.signedInAt('/memories?namespace=vault&key=hostile.md');
    const text = page.getByTestId('value');
    await text.getByText('The end.').waitFor();
    await text.getByRole('group', { name: 'Code, mermaid' }).nth(1).waitFor();
    await text.getByText('\\nothing{').waitFor();
    expect(await text.getByRole('group', { name: 'Code, mermaid' }).count()).toBe(2);
    expect(await text.locator('a[href^="javascript"]').count()).toBe(0);
  });
});
