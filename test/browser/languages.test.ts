import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { people } from '../../src/sandbox/workspace/people.ts';
import { textOf } from '../support/test-bed.ts';
import { noBrowser } from './support/chromium.ts';
import { keepLooks } from './support/hands.ts';
import { quizName, useLanguagesBed } from './support/languages-bed.ts';
import { englishIn, watchTexts } from './support/seen-texts.ts';

const rightAnswers = [
  'Keep people away from it',
  'Only the person who placed it',
  'Safety shoes',
  'Ear defenders',
  'Safety glasses',
  'Bend your knees, keep your back straight',
];

/** What a respondent reads in Polish, the language with most forms. */
const words = {
  code: 'pl',
  slack: 'Polski',
  asked: /prosi o rozwiązanie quizu Workplace safety basics do /,
  notMe: 'To nie dla mnie',
  notForMe: /nie jest dla Ciebie/,
  undo: 'Cofnij',
  forMe: /znów jest dla Ciebie/,
  reminder: /Przypomnienie od.*Rozwiąż quiz Workplace safety basics do/,
  overdue: /Termin quizu Workplace safety basics minął .*prosi o rozwiązanie/,
  take: 'Rozwiąż quiz',
  passed: /Masz zaliczony quiz Workplace safety basics, wynik: 8\d(?:,\d)?%/,
  today: 'Dzisiaj',
  results: 'Twoje wyniki',
  valid: /ważny do .*sty.* 2031, odnowienie od .* 2031/,
  own: /Masz \d+ przypisan/,
  again: /Czas odnowić quiz .*ważne do .* sty/,
  homeAgain: /Czas odnowić quiz Workplace safety basics/,
} as const;

describe.skipIf(noBrowser)('a respondent’s year', () => {
  const bed = useLanguagesBed({ isAssigned: true });
  const { browser } = bed;

  async function take(name: string): Promise<void> {
    const opened = browser.page.waitForEvent('popup');
    await browser.log.getByRole('link', { name, exact: true }).last().click();
    await answer(await opened);
  }

  async function answer(quiz: Page): Promise<void> {
    await quiz.getByRole('button', { name: 'Continue as Ravi Banerjee' }).click();
    await quiz.getByRole('button', { name: 'Start' }).click();
    for (const text of rightAnswers) await quiz.getByLabel(text, { exact: true }).check();
    await quiz.getByLabel('Which colour have signs that must be obeyed?').selectOption('Blue');
    await quiz
      .getByRole('group', { name: /near miss/ })
      .getByLabel('True')
      .check();
    await quiz.getByRole('button', { name: 'Submit' }).click();
    await quiz.getByText('Thank you, Ravi').waitFor();
    await quiz.close();
  }

  /** A trainer who reads English starts a campaign that stands. */
  async function startCampaign(): Promise<void> {
    const { workspace } = bed.testBed;
    const tom = workspace.as(people.tom.id);
    const rule = 'within 2d remind 1d overdue 1d valid 12 months renew 7d';
    const preview = await (await tom.command(`/quiz-campaign start "${quizName}" for @ravi ${rule}`)).reply();
    await tom.click(preview, 'choose:run-campaign');
    await workspace.until(() =>
      workspace.ephemerals(people.tom.id).some((message) => textOf(message).includes('Started a campaign')),
    );
  }

  test('is in Polish from the first notice to the renewal', async () => {
    const { page } = browser;
    const look = (shown: string) => keepLooks(page, `language-${words.code}-${shown}`);
    await bed.become('ravi');
    await bed.speak(words.slack);
    const seen = watchTexts(bed.testBed.workspace, people.ravi.id);
    const seenByTrainer = watchTexts(bed.testBed.workspace, people.tom.id);
    await startCampaign();

    await bed.skip('an hour');
    await bed.openMessages();
    await bed.newest(words.asked);
    await bed.press(words.notMe);
    await bed.newest(words.notForMe);
    await bed.press(words.undo);
    await bed.newest(words.forMe);
    await look('notice');
    await bed.skip('a day', 'a day');
    await bed.newest(words.reminder);
    await bed.skip('a day', 'a day');
    await bed.newest(words.overdue);
    await look('overdue');
    await take(words.take);
    await bed.newest(words.passed);
    await bed.type('/quiz mine');
    await bed.newest(words.own);
    await look('result');
    const home = await bed.openHome();
    await home.getByRole('heading', { name: words.today }).waitFor();
    await home.getByText(words.results).waitFor();
    await home.getByText(words.valid).waitFor();
    await look('home');

    expect(englishIn(seenByTrainer())).not.toEqual([]);
    expect(englishIn(seen())).toEqual([]);

    await bed.skipWithoutBot(Date.UTC(2031, 0, 6, 8));
    await bed.isUnderstood(words.slack);
    const seenLater = watchTexts(bed.testBed.workspace, people.ravi.id);
    await bed.skip('a day');
    await bed.openMessages();
    await bed.newest(words.again);
    await look('renewal');
    await (await bed.openHome()).getByText(words.homeAgain).waitFor();

    expect(englishIn(seenLater())).toEqual([]);
  });
});
