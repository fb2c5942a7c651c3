import { describe, expect, test } from 'vitest';
import { people } from '../../src/sandbox/workspace/people.ts';
import { sendEvent } from '../support/event.ts';
import { startTestBed } from '../support/test-bed.ts';
import { worstAlerts } from '../support/worst-alerts.ts';
import { useBrowserPage } from './support/browser-page.ts';
import { noBrowser } from './support/chromium.ts';
import { actAs, expectAccessible, keepScreenshot } from './support/page.ts';

describe.skipIf(noBrowser)('the alerts that are hardest to word, in a browser', { timeout: 60_000 }, () => {
  const browser = useBrowserPage();

  test('can be read alone and in a burst', async () => {
    const { workspace, url } = await startTestBed();
    const results = workspace.channels.results.id;
    for (const [index, { body }] of worstAlerts.entries()) {
      await sendEvent(url, body(1));
      await workspace.until(() => workspace.messages(results)[index], 10_000);
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
});
