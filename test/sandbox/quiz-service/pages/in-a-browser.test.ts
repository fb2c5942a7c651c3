import axe, { type AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { QuizService } from '../../../../src/sandbox/quiz-service/service.ts';
import { noBrowser } from '../../../browser/support/chromium.ts';
import { openBrowserPage } from '../support/browser.ts';
import { call, quizNamed, startTestService } from '../support/service.ts';

const timeoutMs = 60_000;
const thirtyMinutesMs = 30 * 60_000;
const screenshots = 'test-output/quiz-service';

/** What is wrong with the page as it stands, light and dark, at 360 px and wide. */
async function findFaults(page: Page, name: string): Promise<string[]> {
  const faults: string[] = [];
  for (const [colorScheme, width] of [['light', 360], ['dark', 1000]] as const) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: `${screenshots}/${name}-${colorScheme}-${width}.png`, fullPage: true });
    const overflowPx = await page.evaluate<number>(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    );
    if (overflowPx > 0) faults.push(`${name} is ${overflowPx} px too wide at ${width} px`);
    await page.evaluate(axe.source);
    const { violations } = await page.evaluate<AxeResults>(
      `axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'] })`,
    );
    faults.push(...violations.map(({ id, nodes }) => `${name}, ${colorScheme}: ${id} at ${nodes[0]?.html}`));
  }
  return faults;
}

async function signInAsOwner(page: Page, service: QuizService): Promise<void> {
  await page.goto(`${service.url}/account`);
  await page.getByLabel('Owner\'s password').fill(service.ownerPassword ?? '');
  await page.getByRole('button', { name: 'Sign in' }).click();
}

test.skipIf(noBrowser)('a quiz is taken from the list of quizzes to the result, without a fault of level A or AA on the way', { timeout: timeoutMs }, async () => {
  const service = await startTestService({ returnUrl: 'http://127.0.0.1:9/' });
  const page = await openBrowserPage();
  await page.goto(service.url);
  const faults = await findFaults(page, 'home');
  await page.getByRole('link', { name: 'Workplace safety basics' }).click();
  faults.push(...(await findFaults(page, 'register')));
  await page.getByRole('button', { name: 'Continue as this person' }).click();
  faults.push(...(await findFaults(page, 'ready')));
  await page.getByRole('button', { name: 'Start' }).click();
  faults.push(...(await findFaults(page, 'questions')));
  await page.getByLabel('Keep people away from it').check();
  await page.getByLabel('Which colour have signs').selectOption('Blue');
  await page.getByLabel('What is the European emergency number?').fill('112');
  await page.getByRole('button', { name: 'Submit my answers' }).click();
  await page.getByText('33 %').waitFor();
  faults.push(...(await findFaults(page, 'result')));
  expect(faults).toEqual([]);
});

test.skipIf(noBrowser)('the whole of it can be done with the keyboard alone', { timeout: timeoutMs }, async () => {
  const service = await startTestService();
  const { quiz_id } = await quizNamed(service, '<!channel> & <https://x|y>');
  const page = await openBrowserPage();
  await page.goto(`${service.url}/take/${quiz_id}`);
  await page.getByLabel('First name').focus();
  for (const text of ['Kim', 'Keys', 'kim@keys.example']) {
    await page.keyboard.type(text);
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Start' }).press('Enter');
  await page.getByLabel('&', { exact: true }).first().focus();
  await page.keyboard.press('Space');
  await page.getByRole('button', { name: 'Submit my answers' }).press('Enter');
  await page.getByText('25 %').waitFor();
  expect(await page.getByText('Thank you, Kim').isVisible()).toBe(true);
});

test.skipIf(noBrowser)('when the time is over the page submits what is filled in', { timeout: timeoutMs }, async () => {
  let time = Date.now();
  const service = await startTestService({ now: () => time });
  const { quiz_id } = await quizNamed(service, 'Food hygiene, level 2');
  const page = await openBrowserPage();
  await page.clock.install();
  await page.goto(`${service.url}/take/${quiz_id}`);
  await page.getByRole('button', { name: 'Continue as this person' }).click();
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByLabel('8 °C and 63 °C').check();
  time += thirtyMinutesMs;
  await page.clock.fastForward(thirtyMinutesMs);
  await page.getByText('1 of 7').waitFor();
  expect(await page.getByText('14 %').isVisible()).toBe(true);
});

test.skipIf(noBrowser)('the owner rolls the key and creates a webhook, on pages without a fault of level A or AA', { timeout: timeoutMs }, async () => {
  const service = await startTestService();
  const before = service.apiKey;
  await call(service, 'POST', '/users', { user_name: 'z@z.example', password: 'secret', user_type: 'respondent', send_welcome_email: 'true' });
  const page = await openBrowserPage();
  await page.goto(`${service.url}/account`);
  const faults = await findFaults(page, 'owner-sign-in');
  await signInAsOwner(page, service);
  await page.getByLabel('Endpoint').fill('http://127.0.0.1:9/hook');
  await page.getByRole('button', { name: 'Create Webhook' }).click();
  await page.getByText('http://127.0.0.1:9/hook').waitFor();
  await page.getByText('Show the key').click();
  faults.push(...(await findFaults(page, 'api-screen')));
  await page.getByRole('button', { name: 'Roll the key' }).click();
  await page.getByText('Show the key').click();
  expect(await page.getByText(service.apiKey, { exact: true }).isVisible()).toBe(true);
  expect(service.apiKey).not.toBe(before);
  await page.getByRole('link', { name: 'The last 1000 logged requests' }).click();
  faults.push(...(await findFaults(page, 'requests')));
  await page.goto(`${service.url}/account/outbox`);
  faults.push(...(await findFaults(page, 'outbox')));
  await page.goto(`${service.url}/sign-in`);
  faults.push(...(await findFaults(page, 'sign-in')));
  expect(faults).toEqual([]);
});
