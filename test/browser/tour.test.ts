import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { channels, people } from '../../src/sandbox/workspace/people.ts';
import { addressesIn, startSandbox } from '../support/child-process.ts';
import { useBrowserPage } from './support/browser-page.ts';
import { noBrowser } from './support/chromium.ts';
import { actAs, expectAccessible, keepLooks, keepPicture, type } from './support/page.ts';

describe.skipIf(noBrowser)('the first screen of the sandbox', () => {
  const browser = useBrowserPage();
  let sandbox: ReturnType<typeof startSandbox>;
  let url: string;

  beforeAll(async () => {
    sandbox = startSandbox();
    [url = ''] = addressesIn(await sandbox.up());
  });

  afterAll(() => sandbox.end());

  const tour = (): Locator => browser.page.getByRole('complementary', { name: 'Tour' });
  const done = (): Promise<string[]> => tour().locator('li[data-done=true] summary > span:last-child').allInnerTexts();
  const openChannel = (name: string): Promise<void> =>
    browser.page
      .getByRole('navigation', { name: 'Channels' })
      .getByRole('button', { name: new RegExp(`^${name}`) })
      .click();
  const press = (name: string | RegExp): Promise<void> => browser.log.getByRole('button', { name }).last().click();

  it('is the board of a campaign in its fourth day, next to the tour and the trainer’s Home', async () => {
    await browser.goTo(url, { viewport: { width: 1200, height: 840 } });
    const { page, log } = browser;
    await log.getByText('Campaign for Workplace safety basics').waitFor();
    expect(new URL(page.url()).hash).toBe(`#/${people.tom.id}/${channels.training.id}`);
    await page.getByRole('button', { name: /^Clock: Thu,/ }).waitFor();
    await log.getByText('Still to take it').waitFor();
    await expect.poll(() => log.locator('.chart').first().innerText()).toMatch(/16|\d+ \w+/);
    await tour().getByText('Tom Lindqvist').nth(1).waitFor();
    await keepLooks(page, 'sandbox-first');
    await page.setViewportSize({ width: 1280, height: 920 });
    await page.getByRole('heading', { name: 'Tom Lindqvist’s Home' }).evaluate((node) => {
      node.scrollIntoView();
    });
    await keepPicture(page, 'campaign');
    await expectAccessible(page);
  });

  it('ticks off the steps of the tour as they happen, and none that is only looked at', async () => {
    await browser.goTo(url);
    const { page, log, dialog } = browser;
    await tour().getByText('0 of 8 done').waitFor();
    for (const summary of await tour().locator('summary').all()) await summary.click();
    expect(await done()).toEqual([]);
    await press('Remind now');
    await expect.poll(done).toEqual(['Remind who’s missing']);

    await type(page, '/quiz close data protection');
    await log.getByText('Closed').last().waitFor();
    await expect.poll(done).toContain('Change something');
    await type(page, '/quiz-alerts subscribe all digest hourly');
    await expect.poll(done).toContain('Subscribe a channel');
    await actAs(page, people.ada);
    await openChannel('training-leads');
    await press(/^Approve/);
    await dialog.getByRole('button', { name: 'Approve', exact: true }).click();
    await expect.poll(done).toHaveLength(4);
    expect(await done()).toContain('Approve a request');

    await dialog.getByRole('button', { name: 'Close' }).last().click();

    await actAs(page, people.ravi);
    const opened = page.waitForEvent('popup');
    await page.getByRole('link', { name: 'Take a quiz' }).click();
    const quiz = await opened;
    await quiz.getByRole('link', { name: 'Workplace safety basics' }).click();
    await quiz.getByRole('button', { name: 'Continue as Ravi Banerjee' }).click();
    await quiz.getByRole('button', { name: 'Start' }).click();
    await quiz.getByRole('button', { name: 'Submit' }).click();
    await quiz.getByText('Thank you, Ravi').waitFor();
    await quiz.close();
    await expect.poll(done).toContain('Take a quiz');
    await keepLooks(page, 'sandbox-tour');
  });

  it('skips to the deadline with one press, and shows how far it is', async () => {
    await browser.goTo(`${url}#/${people.tom.id}/${channels.training.id}`);
    const { page, log } = browser;
    await tour().getByRole('button', { name: 'Skip to the deadline' }).click();
    await tour().getByRole('progressbar', { name: 'Skipping ahead' }).waitFor();
    await log.getByText('Overdue', { exact: true }).waitFor();
    await page.getByRole('button', { name: /^Clock: Fri,.* 5:0\d PM$/ }).click();
    await page.getByRole('menuitem', { name: 'Skip a day' }).waitFor();
    await keepLooks(page, 'clock');
    await expectAccessible(page);
    await expect.poll(done).toContain('Skip to the deadline');
    await expect.poll(() => tour().getByRole('button', { name: 'Skip to the deadline' }).count()).toBe(0);
  });

  it('is put away and stays so, and what happened stays ticked off in another window', async () => {
    await browser.goTo(`${url}#/${people.tom.id}/workflow`);
    const { page } = browser;
    await tour()
      .getByText(/^[56] of 8 done$/)
      .waitFor();
    await page.getByRole('button', { name: 'Close the tour' }).click();
    await tour().waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('button', { name: /^Tour: \d of 8 done$/ }).waitFor();
    expect(await tour().count()).toBe(0);
    await page.getByRole('button', { name: /^Tour: / }).click();
    await tour().waitFor();
  });

  it('gives way to the board on a phone, where it opens with a press', async () => {
    await browser.goTo(`${url}#/${people.tom.id}/${channels.training.id}`);
    const { page, log } = browser;
    await tour().waitFor();
    await page.setViewportSize({ width: 360, height: 740 });
    await tour().waitFor({ state: 'detached' });
    await log.getByText('Campaign for Workplace safety basics').waitFor();
    await page.getByRole('button', { name: /^Tour: / }).click();
    await tour().waitFor();
    await page.reload();
    await log.getByText('Campaign for Workplace safety basics').waitFor();
    expect(await tour().count()).toBe(0);
    await page.setViewportSize({ width: 1200, height: 800 });
    await tour().waitFor();
  });

  it('runs a workflow whose quiz no earlier step has closed', async () => {
    await browser.goTo(`${url}#/${people.ada.id}/workflow`);
    const { page } = browser;
    await page.getByRole('button', { name: 'Publish as Ada Okafor' }).click();
    await page.getByRole('button', { name: 'Join #new-hires', exact: true }).click();
    await expect.poll(done).toContain('Run a workflow');
    // Beside the tour, too, a run is words in lines.
    const { width, height } = (await page.getByText('as a respondent.').boundingBox())!;
    expect(width).toBeGreaterThan(height);
  });

  it('ends with why people fail: the wrong answer that most of them chose', async () => {
    await browser.goTo(`${url}#/${people.tom.id}/${channels.training.id}`);
    const { page, log } = browser;
    await tour().getByText('7 of 8 done').waitFor();
    await type(page, '/quiz questions workplace safety');
    await log.getByText(/From \d+ attempts\./).waitFor();
    // It grows in its place while answers are read, and is then read from its beginning.
    await expect
      .poll(() =>
        log
          .locator('.message')
          .last()
          .evaluate((node) =>
            Math.round(node.getBoundingClientRect().top - node.closest('.messages')!.getBoundingClientRect().top),
          ),
      )
      .toBe(0);
    await log.getByText(/\d+ of \d+ chose Fetch a mop/).waitFor();
    await tour().getByText('8 of 8 done').waitFor();
    await keepPicture(page, 'sandbox');
    await keepLooks(page, 'sandbox-questions');
    await expectAccessible(page);
  });
});
