import { beforeEach, describe, expect, test } from 'vitest';
import { people } from '../../src/sandbox/workspace/people.ts';
import { startTestBed, type TestBed } from '../support/test-bed.ts';
import { useBrowserPage } from './support/browser-page.ts';
import { noBrowser } from './support/chromium.ts';
import { hands, keepLooks } from './support/hands.ts';
import { actAs, expectAccessible } from './support/page.ts';

describe.skipIf(noBrowser).each(hands)('next steps with the $name', { timeout: 60_000 }, (hand) => {
  const browser = useBrowserPage();
  let testBed: TestBed;

  beforeEach(async () => {
    testBed = await startTestBed();
    await browser.goTo(testBed.workspace.url);
    await actAs(browser.page, people.erin);
  });

  const statusOf = (name: string) => testBed.quizService.database.get<{ status: string }>('SELECT status FROM quizzes WHERE name = ?', [name])?.status;
  const button = (name: string) => browser.log.getByRole('button', { name }).last();

  /** Looks at the page in every form, once. */
  async function look(name: string): Promise<void> {
    await expectAccessible(browser.page);
    if (hand.name === 'mouse') await keepLooks(browser.page, name);
  }

  test('a closed quiz is opened again from its message', async () => {
    const { page, log } = browser;
    await hand.type(page, '/quiz close food');
    await log.getByText('Closed Food hygiene').waitFor();
    await look('closed');
    await hand.press(button('Open again'));
    await log.getByText('Opened Food hygiene').waitFor();
    await look('opened-again');
    expect(statusOf('Food hygiene, level 2')).toBe('open');
    await hand.type(page, '/quiz open food');
    await log.getByText('was open already').waitFor();
    await look('open-already');
  });

  test('a verb that is nearly right runs by its button', async () => {
    const { page, log } = browser;
    await hand.type(page, '/quiz lst');
    await log.getByText('Did you mean /quiz list?').waitFor();
    await look('near-verb');
    await hand.press(button('Run /quiz list'));
    await log.getByText('9 quizzes').waitFor();
    await look('list');
  });
});
