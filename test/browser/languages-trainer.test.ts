import type { Locator } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { people } from '../../src/sandbox/workspace/people.ts';
import { noBrowser } from './support/chromium.ts';
import { keepLooks } from './support/hands.ts';
import { quizName, useLanguagesBed } from './support/languages-bed.ts';
import { englishIn, watchTexts } from './support/seen-texts.ts';

/** What a trainer types and reads in German. */
const words = {
  code: 'de',
  slack: 'Deutsch',
  quizzes: /\d Quizze/,
  due: 'fällig nächsten Freitag',
  audiences: [
    [
      'für Ravi Banerjee',
      /Kampagne für Workplace safety basics mit 1 Person\. Nichts passiert, bis Sie sie starten.*1 Person braucht noch das Quiz/s,
    ],
    ['für Ravi Banerjee, Rosa Almeida und Maya Goldberg', /mit 3 Personen.*3 Personen brauchen noch das Quiz/s],
    [
      'für Ravi Banerjee, Rosa Almeida, Maya Goldberg, Katarzyna Nowak und Hana Kobayashi',
      /mit 5 Personen.*5 Personen brauchen noch das Quiz/s,
    ],
  ],
  isDue: /Fällig.*Freitag, 18\. Januar/s,
  board: 'Übersicht hier',
  start: 'Starten',
  started: /läuft jetzt, mit 5 Personen/,
  nobody: /0 von 5 Personen/,
  change: /^Ändern …/,
  overdue: 'Erinnerungen nach Fälligkeit, alle',
  days: '2 Tage',
  preview: 'Vorschau',
  more: 'Mehr …',
  another: /Regeln der Kampagne für .* ändern/,
  changeRule: 'Regeln ändern',
  changed: /Die Regeln der Kampagne für Workplace safety basics sind geändert/,
  failed: 'nur nicht bestanden',
  results: /nicht bestanden/,
  refused: /Das kann nur die Administration des Quizkontos/,
  why: 'Begründung angeben',
  reason: /^Wozu|^Begründung/,
  request: 'Genehmigung beantragen',
  requested: /Genehmigung beantragt: .*Rosa Almeida/,
  decided: /hat genehmigt: .*Rosa Almeida/,
  later: 'bis Ende des Monats',
  extended: /Neue Frist .*31\. Jan/,
  languageSet: /Die Sprache ist geändert/,
} as const;

describe.skipIf(noBrowser)('a trainer’s day', () => {
  const bed = useLanguagesBed({ isAssigned: false });
  const { browser } = bed;

  const submit = (name: string): Promise<void> =>
    browser.dialog.last().getByRole('button', { name, exact: true }).click();
  /** Closes every form. */
  async function closeAll(): Promise<void> {
    await expect
      .poll(async () => {
        await browser.page.keyboard.press('Escape');
        return browser.dialog.count();
      })
      .toBe(0);
  }

  const board = (): Locator => browser.log.locator('.message[data-private=false]').first();

  /** Decides in English on what the trainer asks. */
  async function approve(): Promise<void> {
    const { dialog, log } = browser;
    await bed.become('ada');
    await bed.openChannel('training-leads');
    await log.getByText('Tom Lindqvist asks to suspend Rosa Almeida').waitFor();
    await log
      .getByRole('button', { name: /^Approve/ })
      .last()
      .click();
    await dialog.getByText('Rosa Almeida now').waitFor();
    await submit('Approve');
    await dialog.getByText('Suspended Rosa Almeida').waitFor();
    await closeAll();
  }

  test('is in German from the list of quizzes to a decision in English', async () => {
    const { page, dialog } = browser;
    const look = (shown: string) => keepLooks(page, `language-${words.code}-${shown}`);
    await bed.become('tom');
    await bed.speak(words.slack);
    const seen = watchTexts(bed.testBed.workspace, people.tom.id);
    const seenByAdministrator = watchTexts(bed.testBed.workspace, people.ada.id);
    await bed.openChannel('training');
    await bed.type('/quiz list');
    await bed.shown(words.quizzes);
    await look('list');

    for (const [audience, counted] of words.audiences) {
      await bed.type(`/quiz-campaign start "${quizName}" ${audience} ${words.due} ${words.board}`);
      await bed.shown(counted);
    }
    await bed.shown(words.isDue);
    await look('preview');
    await bed.press(words.start);
    await bed.shown(words.started);
    await board().getByText(`Campaign for ${quizName}`).waitFor();
    await board().getByText('Still to take it').waitFor();

    await board().getByRole('button', { name: 'View all' }).click();
    await dialog.getByText(words.nobody).waitFor();
    await look('campaign');
    await dialog.getByRole('button', { name: words.change }).click();
    await submit(words.more);
    await dialog.last().getByLabel(words.overdue).fill(words.days);
    await look('form');
    await submit(words.preview);
    await dialog.last().getByText(words.another).waitFor();
    await submit(words.changeRule);
    await dialog.last().getByText(words.changed).waitFor();
    await closeAll();

    await bed.type(`/quiz results "Food hygiene, level 2" ${words.failed}`);
    await bed.shown(words.results);
    await look('results');
    await bed.type('/quiz-admin audit');
    await bed.shown(words.refused);
    await bed.type('/quiz-user suspend rosa almeida');
    await bed.press(words.why);
    await dialog.getByLabel(words.reason).fill('She has left');
    await submit(words.request);
    await dialog.getByText(words.requested).waitFor();
    await closeAll();
    await approve();
    await bed.become('tom');
    await bed.openMessages();
    await bed.shown(words.decided);
    await look('decision');

    await bed.openChannel('training');
    await bed.type('/quiz-alerts language de');
    await bed.shown(words.languageSet);
    await bed.type(`/quiz-campaign extend workplace ${words.later}`);
    await bed.shown(words.extended);
    await board().getByText(`Kampagne für ${quizName}`).waitFor();
    await look('board');
    expect(englishIn(seenByAdministrator())).not.toEqual([]);
    expect(englishIn(seen())).toEqual([]);
  });
});
