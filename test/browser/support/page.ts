import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { smallerPng } from './smaller-png.ts';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const outputFolder = new URL('../../../test-output/', import.meta.url).pathname;
const documentsFolder = new URL('../../../docs/', import.meta.url).pathname;

interface Finding {
  id: string;
  impact: string;
  nodes: string[];
}

/** Fails if axe-core finds a violation of level A or AA. */
export async function expectAccessible(page: Page): Promise<void> {
  if (!(await page.evaluate<boolean>("'axe' in globalThis"))) await page.evaluate(axeSource);
  const findings = await page.evaluate<Finding[]>(`
    axe.run(document, { runOnly: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] } })
      .then((results) => results.violations.map((violation) => ({ id: violation.id, impact: violation.impact, nodes: violation.nodes.map((node) => node.html.slice(0, 200) + ' ' + node.failureSummary) })))
  `);
  expect(findings).toEqual([]);
}

/** Whether this run keeps what the pages look like, for people to look at. */
export const keepsPictures = process.env['PICTURES'] === 'keep';

/** Saves a screenshot of the whole page in `test-output`, if the run keeps pictures or this is of a failure. */
export async function keepScreenshot(page: Page, name: string): Promise<void> {
  if (!keepsPictures && !name.startsWith('failed/')) return;
  await page.screenshot({ path: `${outputFolder}${name}.png`, animations: 'disabled', fullPage: true });
}

/** Saves a picture of the documents: in docs with `npm run pictures`, otherwise as a screenshot. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  if (process.env['PICTURES'] !== 'write') return keepScreenshot(page, `documents/${name}`);
  writeFileSync(`${documentsFolder}${name}.png`, smallerPng(await page.screenshot({ animations: 'disabled' })));
}

export const composerOf = (page: Page): Locator => page.getByRole('main').getByRole('combobox', { name: /^Message / });

/** Types and sends a command or a message. */
export async function type(page: Page, text: string): Promise<void> {
  await composerOf(page).fill(text);
  await composerOf(page).press('Enter');
}

/** Switches to another person, and waits until the workspace knows that they look at it. */
export async function actAs(page: Page, person: { id: string }): Promise<void> {
  const acting = page.getByLabel('Acting as');
  if ((await acting.inputValue()) === person.id) return;
  const follows = page.waitForResponse((response) => {
    const { pathname, searchParams } = new URL(response.url());
    return pathname === '/page/changes' && searchParams.get('as') === person.id;
  });
  await acting.selectOption(person.id);
  await follows;
}

/** Fails if the page is wider than the window. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const widths = await page.evaluate<[number, number]>(
    '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
  );
  expect(widths[0]).toBeLessThanOrEqual(widths[1]);
}

/** Fails if the page reported an error, except for style attributes from screenshots and axe-core, which its policy blocks. */
export function expectNoProblems(problems: readonly string[]): void {
  expect(problems.filter((problem) => !problem.startsWith('Applying inline style violates'))).toEqual([]);
}
