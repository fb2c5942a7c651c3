import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSandboxClock, type SandboxClock } from '../../src/sandbox/clock/sandbox-clock.ts';
import { channels, people } from '../../src/sandbox/workspace/people.ts';
import { webhookSecret } from '../support/event.ts';
import { openProcessTestBed, type ProcessTestBed } from '../support/process-test-bed.ts';
import { useBrowserPage } from './support/browser-page.ts';
import { noBrowser } from './support/chromium.ts';
import { keepLooks } from './support/hands.ts';
import { actAs, composerOf, expectAccessible } from './support/page.ts';

describe.skipIf(noBrowser)('a campaign by mouse', { timeout: 180_000 }, () => {
  const browser = useBrowserPage();
  let clock: SandboxClock;
  let testBed: ProcessTestBed;

  beforeAll(async () => {
    // A Monday, 9:00 in Warsaw.
    clock = createSandboxClock(Date.UTC(2030, 0, 7, 8) - Date.now());
    testBed = await openProcessTestBed({ store: 'sqlite', clock, hasQuizLinks: true, env: { ALERTS_CHANNEL: '' } });
    const { workspace, quizService, bots: [bot] } = testBed;
    workspace.setLinks([{ label: 'Take a quiz', url: quizService.url }]);
    quizService.setWebhook({ url: `${bot?.url}/webhooks/quiz`, secret: webhookSecret });
  }, 60_000);

  afterAll(() => testBed.close());

  async function send(line: string): Promise<void> {
    const composer = composerOf(browser.page);
    await composer.click();
    await composer.fill(line);
    await browser.page.getByRole('button', { name: 'Send', exact: true }).click();
  }

  async function skip(what: 'an hour' | 'a day' | 'a week'): Promise<void> {
    const { page } = browser;
    await page.getByRole('button', { name: /^Clock: / }).click();
    await page.getByRole('menuitem', { name: `Skip ${what}` }).click();
    await expect.poll(() => clock.skipping, { timeout: 60_000 }).toBeUndefined();
  }

  it('goes from start past its due time with the clock of the page', async () => {
    const { workspace } = testBed;
    await browser.goTo(`${workspace.url}#/${people.ada.id}/${channels.kitchen.id}`);
    const { page, log } = browser;
    await send('/quiz-campaign start "Workplace safety basics" for #kitchen due in 1 week complete submitted remind 3d, 1d escalate 1d to @tom board here');
    await log.getByRole('button', { name: 'Start', exact: true }).waitFor();
    await keepLooks(page, 'campaign-preview');
    await log.getByRole('button', { name: 'Start', exact: true }).click();
    const board = log.locator('.message[data-private=false]').filter({ hasText: 'Campaign for Workplace safety basics' });
    await board.getByText('Ravi Banerjee').waitFor();

    await skip('an hour');
    const others = page.getByRole('list', { name: 'The bot’s messages to others' });
    await others.getByRole('button', { name: /^Ravi Banerjee/ }).click();
    const opened = page.waitForEvent('popup');
    await log.getByRole('link', { name: 'Take quiz' }).click();
    const quiz = await opened;
    await quiz.getByRole('button', { name: 'Continue as Ravi Banerjee' }).click();
    await quiz.getByRole('button', { name: 'Start' }).click();
    await quiz.getByRole('button', { name: 'Submit' }).click();
    await quiz.getByText('Thank you, Ravi').waitFor();
    await quiz.close();

    await actAs(page, people.ada);
    await page.getByRole('button', { name: 'kitchen' }).click();
    await board.getByText(/1 of \d/).first().waitFor();
    await skip('a day');
    expect(await board.textContent()).not.toContain('Ravi Banerjee');
    await keepLooks(page, 'campaign-board');
    await expectAccessible(page);
    const hours = workspace.directMessages(people.maya.id).map(({ ts }) => new Intl.DateTimeFormat('en', { hour: 'numeric', hourCycle: 'h23', timeZone: people.maya.timeZone }).format(Number(ts) * 1000));
    expect(hours).toEqual(['09']);

    await skip('a week');
    await skip('a day');
    expect(workspace.directMessages(people.tom.id).some(({ text }) => text.includes('still have to take'))).toBe(true);
    expect(workspace.directMessages(people.ravi.id).filter(({ text }) => text.includes('Reminder'))).toEqual([]);
    await keepLooks(page, 'campaign-end');
  });
});
