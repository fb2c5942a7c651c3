import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { textOfTable } from '../support/csv-of.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { usePageOfBot } from './support/browser-page.ts';
import { noBrowser } from './support/chromium.ts';
import { composerOf, expectAccessible, keepLooks, keepScreenshot } from './support/page.ts';

const newPeople = Array.from(
  { length: 8 },
  (_, index) => `hire${index + 1}@quiz.example,Sam,Hire ${index + 1},Kitchen`,
);
const csv = [
  'E-mail,First name,Last name,Groups,Shoe size',
  ...newPeople,
  'rosa@quiz.example,Rosa,Almeida,',
  'not an address,Ann,Bo,',
  '',
].join('\r\n');

describe.skipIf(noBrowser)('an import', () => {
  const bed = usePageOfBot({ env: { ALERTS_CHANNEL: '' } });
  const { browser } = bed;
  const created = () =>
    bed.testBed.quizService.database.all("SELECT user_name FROM users WHERE user_name LIKE 'hire%'").length;

  async function chooseFile(open: () => Promise<void>, name = 'new-hires.csv', content = csv): Promise<void> {
    const path = join(temporaryDirectory(), name);
    writeFileSync(path, content);
    const chooser = browser.page.waitForEvent('filechooser');
    await open();
    await (await chooser).setFiles(path);
  }

  async function openForm(): Promise<void> {
    await composerOf(browser.page).fill('/quiz-user import');
    await browser.page.getByRole('button', { name: 'Send', exact: true }).click();
  }

  it('takes the file of a message, which was dropped in the conversation, from its menu', async () => {
    const { page, main, dialog, log } = browser;
    await chooseFile(() => page.getByText('📎').click(), 'posted.csv');
    await page.getByRole('button', { name: 'Remove posted.csv' }).click();
    const dropped = await page.evaluateHandle(
      `((csv) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([csv], 'posted.csv', { type: 'text/csv' }));
      return transfer;
    })(${JSON.stringify(csv)})`,
    );
    await main.dispatchEvent('drop', { dataTransfer: dropped });
    await page.getByRole('button', { name: 'Remove posted.csv' }).waitFor();
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await log.getByText('posted.csv').first().waitFor();
    await log.locator('.message').last().hover();
    await log.getByRole('button', { name: 'Message actions' }).last().click();
    await page.getByRole('menuitem', { name: 'Import users' }).click();
    await expect
      .poll(() => dialog.getByRole('combobox', { name: 'Excel or CSV file' }).inputValue())
      .toBe('posted.csv');
    await keepLooks(page, 'import-from-message');
    await dialog.getByRole('button', { name: 'Preview', exact: true }).click();
    await dialog.getByText('Nothing has changed yet.').waitFor();
  });

  it('takes a file that is chosen with the keyboard, asks what its columns hold, and shows how it read the names', async () => {
    const { page, dialog } = browser;
    await openForm();
    await chooseFile(
      async () => {
        await dialog.getByLabel('Excel or CSV file').first().focus();
        await page.keyboard.press('Enter');
      },
      'columns.csv',
      'Person;Elektropost;Rolle;Passwort\n"Dr. Meier, Anna";anna@quiz.example;Koch;canary-Secret1\n"Groß, Jörg, Jr.";joerg@quiz.example;Trainer;canary-Secret2\nBerg;bo(at)quiz.example;Koch;canary-Secret3\n',
    );
    await dialog.getByRole('button', { name: 'Preview', exact: true }).click();
    await dialog.getByText('What do the columns of columns.csv hold?').waitFor();
    await keepLooks(page, 'import-columns');
    await expectAccessible(page);
    await dialog.getByRole('combobox', { name: 'Person' }).click();
    await dialog.getByRole('option', { name: 'Whole name (last name first)' }).click();
    await dialog.getByRole('button', { name: 'Preview', exact: true }).click();
    await dialog.getByText('How the bot reads the names').waitFor();
    expect(await dialog.textContent()).toMatch(
      /2 users would be created.*Line 4, Berg: “bo\(at\)quiz\.example” isn’t an e-mail address\..*Dr\. Meier, Anna.*last name Meier.*last name Groß Jr\..*Rolle.*job titles.*Passwort/s,
    );
    expect(await dialog.textContent()).not.toContain('canary');
    await keepLooks(page, 'import-names');
    await expectAccessible(page);
  });

  it('goes from a chosen file, after one of a wrong type, over the dry run to the result', async () => {
    const { page, dialog, log } = browser;
    await openForm();
    const choose = () => dialog.getByText('Choose a file').click();
    await chooseFile(choose, 'people.pdf');
    await dialog.getByText('people.pdf').waitFor();
    await dialog.getByRole('button', { name: 'Preview', exact: true }).click();
    await dialog.getByText(/^Please choose a file of type /).waitFor();
    await dialog.getByRole('button', { name: 'Remove people.pdf' }).click();
    await chooseFile(choose);
    await dialog.getByText('new-hires.csv').waitFor();
    await keepLooks(page, 'import-form');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Preview', exact: true }).click();
    await dialog.getByText('Nothing has changed yet.').waitFor();
    expect(await dialog.textContent()).toMatch(
      /8 users would be created.*1 person is already a user.*1 row has a mistake.*Line 11, Ann Bo: “not an address” isn’t an e-mail address\..*Shoe size/s,
    );
    await keepLooks(page, 'import-dry-run');
    await expectAccessible(page);
    expect(created()).toBe(0);

    await dialog.getByRole('button', { name: 'Start: 8 people' }).click();
    await dialog.getByRole('button', { name: 'Close' }).first().click();
    await page
      .getByRole('navigation')
      .getByRole('button', { name: /^Invigilator(?! Home)/ })
      .click();
    const progress = log.locator('.message').filter({ hasText: '8 users from new-hires.csv' }).last();
    await progress.getByRole('button', { name: 'Pause' }).waitFor();
    await keepLooks(page, 'import-progress');
    await progress.getByText('Finished').waitFor();
    await keepLooks(page, 'import-finished');
    await progress.getByText('8 of 8 created · 1 row has an error').waitFor();
    // A user who was created stays.
    expect(await progress.getByRole('button', { name: 'Undo…' }).count()).toBe(0);
    await page.setViewportSize({ width: 360, height: 740 });
    await progress.getByRole('button', { name: 'Get result' }).scrollIntoViewIfNeeded();
    await keepScreenshot(page, 'flows/import-result-360');
    await page.setViewportSize({ width: 1200, height: 800 });
    expect(created()).toBe(8);
    await progress.getByRole('button', { name: 'Get result' }).click();
    const download = page.waitForEvent('download');
    await log.getByText('Result.xlsx').first().waitFor();
    await log.locator('.file', { hasText: 'Result.xlsx' }).getByRole('link').click();
    const result = await textOfTable(readFileSync(await (await download).path()));
    expect(result).toMatch(/\r\nhire8@quiz\.example,Sam,Hire 8,Kitchen,created,[\w-]+,/);
    expect(result).toMatch(/\r\nnot an address,Ann,Bo,.*failed,,“not an address” isn’t/);
  });
});
