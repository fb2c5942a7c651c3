import { describe, expect, test } from 'vitest';
import { channels, people } from '../../src/sandbox/workspace/people.ts';
import { sendEvent } from '../support/event.ts';
import { startTestBed } from '../support/test-bed.ts';
import { takeQuiz } from '../support/take-quiz.ts';
import { worstAlerts } from '../support/worst-alerts.ts';
import { useBrowserPage } from './support/browser-page.ts';
import { noBrowser } from './support/chromium.ts';
import { actAs, expectAccessible, expectNoSidewaysScroll, keepScreenshot } from './support/page.ts';

describe.skipIf(noBrowser)('the alerts that are hardest to word, in a browser', () => {
  const browser = useBrowserPage();

  test('can be read alone and in a burst', async () => {
    const { workspace, url } = await startTestBed();
    const results = workspace.channels.results.id;
    for (const [index, { body }] of worstAlerts.entries()) {
      await sendEvent(url, body(1));
      await workspace.until(() => workspace.messages(results)[index]);
    }
    for (const { body } of worstAlerts) await sendEvent(url, body(2));
    await browser.goTo(workspace.url, { viewport: { width: 1200, height: 2400 } });
    const { page } = browser;
    await actAs(page, people.erin);
    await page.getByRole('button', { name: /quiz-results/ }).click();
    await page.getByText('6 submissions').or(page.getByText('5 submissions')).first().waitFor();
    expect(await page.getByText('undefined').count()).toBe(0);
    await expectAccessible(page);
    await keepScreenshot(page, 'bot-worst-alerts');
  });

  test.each([
    ['wide', 1200],
    ['narrow', 360],
  ])('open their attempt with the keyboard, on a %s page', async (name, width) => {
    const { workspace, quizService } = await startTestBed();
    const quiz = quizService.database.get<{ quiz_id: string }>("SELECT quiz_id FROM quizzes WHERE status = 'open'")!;
    await takeQuiz(quizService.url, quiz.quiz_id);
    await workspace.until(() => workspace.messages(channels.results.id)[0]);
    await browser.goTo(new URL(`#/${people.ada.id}/${channels.results.id}`, workspace.url).href, {
      viewport: { width, height: 900 },
    });
    const { page } = browser;
    const button = page.getByRole('button', { name: 'View attempt of Ines Guest' });
    await keepScreenshot(page, `bot-alert-${name}`);
    await button.press('Enter');
    await page.getByRole('dialog').getByText('Ines Guest').first().waitFor();
    await page.getByRole('dialog').getByText('1. ').first().waitFor();
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    await keepScreenshot(page, `bot-alert-attempt-${name}`);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });
});
