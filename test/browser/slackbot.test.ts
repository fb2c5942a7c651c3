import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { people } from '../../src/sandbox/workspace/people.ts';
import { openProcessTestBed, type ProcessTestBed } from '../support/process-test-bed.ts';
import { useBrowserPage } from './support/browser-page.ts';
import { noBrowser } from './support/chromium.ts';
import { actAs, expectAccessible, keepLooks, keepPicture } from './support/page.ts';

describe.skipIf(noBrowser)('the conversation with Slackbot, by mouse', () => {
  const browser = useBrowserPage();
  let testBed: ProcessTestBed;

  beforeAll(async () => {
    testBed = await openProcessTestBed({ store: 'sqlite', env: { MCP_ENABLED: 'true', ALERTS_CHANNEL: '' } });
  });

  afterAll(() => testBed.close());

  const log = (): Locator => browser.page.getByRole('log', { name: 'Messages in Slackbot' });
  const menu = (): Locator => browser.page.getByRole('combobox', { name: 'Choose a tool' });
  const thread = (): Locator => browser.page.getByRole('complementary', { name: 'Thread' });

  const send = (): Promise<void> => browser.dialog.getByRole('button', { name: 'Send', exact: true }).click();

  async function fill(name: string, given: Record<string, string>): Promise<void> {
    await menu().fill(name);
    await browser.page.getByRole('option').getByText(name, { exact: true }).click();
    for (const [argument, text] of Object.entries(given))
      await browser.dialog.getByRole('textbox', { name: argument, exact: true }).fill(text);
  }

  async function call(name: string, given: Record<string, string> = {}): Promise<Locator> {
    await fill(name, given);
    const before = await log().locator('.message').count();
    await send();
    const answer = log()
      .locator('.message')
      .nth(before + 1);
    await answer.getByText('1 reply').waitFor();
    return answer;
  }

  it('lists the tools of the person, asks what is unclear, and shows what was sent and what came back', async () => {
    await browser.goTo(`${testBed.workspace.url}#/${people.erin.id}/C0QUIZRESULTS`);
    const { page } = browser;
    await page.getByRole('navigation').getByRole('button', { name: 'Slackbot' }).click();
    const unclear = await call('Show missing', { quiz: 'fo' });
    await unclear.getByRole('button', { name: /^Food hygiene/ }).click();
    const shown = log().locator('.message').last();
    await shown.locator('.blocks').getByText('Food hygiene').first().waitFor();
    const requested = await call('Delete quiz', { quiz: 'forklift', reason: 'Replaced by the new course' });
    await expect
      .poll(() => requested.locator('.blocks').innerText())
      .toContain('Approval requested: delete Forklift theory test');
    await page.setViewportSize({ width: 1200, height: 960 });
    await page.mouse.move(0, 0);
    await keepPicture(page, 'slackbot');
    await page.setViewportSize({ width: 1200, height: 800 });
    const closed = await call('Close quiz', { quiz: 'workplace' });
    await expect.poll(() => closed.locator('.blocks').innerText()).toContain('Closed Workplace safety basics.');
    await closed.getByText('1 reply').click();
    await thread().getByText('"status": "done"').waitFor();
    await thread().getByText(`"user_id": "${people.erin.id}"`).waitFor();
    await keepLooks(page, 'slackbot');
    await expectAccessible(page);
  });

  it('changes its tools with the person, and asks for the reason that an approval needs', async () => {
    await browser.goTo(`${testBed.workspace.url}#/${people.rosa.id}/DSLACKBOT`);
    const { page } = browser;
    const names = async (): Promise<string[]> => {
      await menu().click();
      return page.getByRole('option').locator('span').allInnerTexts();
    };
    await expect.poll(names).toEqual(['Show today', 'List quizzes', 'Show quiz', 'My quizzes', 'Who am i']);
    await actAs(page, people.ada);
    await expect.poll(names).toContain('Delete quiz');
    await call('List quizzes');
    await fill('Delete quiz', { quiz: 'forklift' });
    await send();
    await browser.dialog.getByText('Please complete this required field.').waitFor();
    await keepLooks(page, 'slackbot-reason');
    await expectAccessible(page);
  });
});
