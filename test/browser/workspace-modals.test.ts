import { describe, expect, it } from 'vitest';
import { channels, people } from '../../src/sandbox/workspace/people.ts';
import { useBrowserPage } from './support/browser-page.ts';
import { noBrowser } from './support/chromium.ts';
import { expectAccessible, keepScreenshot, type } from './support/page.ts';
import { useShowcase } from './support/showcase.ts';

describe.skipIf(noBrowser)('modals of the workspace', () => {
  const browser = useBrowserPage();
  const showcase = useShowcase(browser);

  it('closes a quiz with the mouse: shortcut, picker, error under a field, message', async () => {
    await showcase.open();
    await browser.page.getByRole('button', { name: 'Shortcuts' }).click();
    await browser.page.getByRole('menuitem', { name: /Close a quiz/ }).click();
    await browser.dialog.getByRole('heading', { name: 'Close a quiz' }).waitFor();
    await browser.dialog.getByRole('combobox', { name: 'Quiz' }).click();
    await browser.dialog.getByRole('option', { name: '<!channel> & <https://x|y>' }).waitFor();
    await keepScreenshot(browser.page, 'workspace-picker');
    await expectAccessible(browser.page);
    await browser.dialog.getByRole('option', { name: 'First aid' }).click();
    await browser.dialog.getByRole('button', { name: 'Close quiz' }).click();
    await browser.dialog.getByText('First aid is closed already.').waitFor();
    await keepScreenshot(browser.page, 'workspace-error');
    await expectAccessible(browser.page);
    await browser.dialog.getByRole('button', { name: 'Clear Quiz' }).click();
    await browser.dialog.getByRole('combobox', { name: 'Quiz' }).click();
    await browser.dialog.getByRole('option', { name: 'Fire safety' }).click();
    await browser.dialog.getByRole('button', { name: 'Close quiz' }).click();
    await browser.dialog.waitFor({ state: 'hidden' });
    await browser.log.getByText('closed Fire safety').waitFor();
    expect(showcase.bot.workspace.views(people.ada.id)).toEqual([]);
  });

  it('chooses the option that is pressed, whatever the bot answers meanwhile', async () => {
    await showcase.open();
    const { page, dialog } = browser;
    const picker = dialog.getByRole('combobox', { name: 'Quiz' });
    const toldApart = Promise.withResolvers<void>();
    await page.route(/\/page\/acts/, async (route) => {
      if (route.request().postData()?.includes('"fo"') === true) await toldApart.promise;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Shortcuts' }).click();
    await page.getByRole('menuitem', { name: /Close a quiz/ }).click();
    await picker.click();
    await dialog.getByRole('option', { name: 'Fire safety' }).waitFor();
    await picker.fill('fo');
    await dialog.getByRole('option', { name: 'Food hygiene' }).hover();
    await page.mouse.down();
    const answered = page.waitForEvent('requestfinished', (request) => request.postData()?.includes('"fo"') === true);
    toldApart.resolve();
    await answered;
    await page.evaluate('new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown)))');
    await page.mouse.up();
    await expect.poll(() => picker.inputValue()).toBe('Food hygiene');
  });

  it('chooses the option that is pressed in a long list, whatever is drawn meanwhile', async () => {
    await showcase.open();
    const { page, dialog, log } = browser;
    const { workspace } = showcase.bot;
    await type(page, '/quiz inputs');
    await dialog.getByRole('combobox', { name: 'People' }).click();
    const last = dialog.getByRole('option').last();
    await last.hover();
    const name = await last.locator('span').innerText();
    await page.mouse.down();
    await workspace.as(people.rosa.id).say(channels.results.id, 'It rains.');
    await log.getByText('It rains.').waitFor();
    await page.mouse.up();
    await dialog.getByRole('button', { name: `Remove ${name}` }).waitFor();
  });

  it('closes a quiz with the keyboard only, keeps the focus in the modal and restores it', async () => {
    await showcase.open();
    const shortcuts = browser.page.getByRole('button', { name: 'Shortcuts' });
    await shortcuts.focus();
    await browser.page.keyboard.press('ArrowDown');
    await browser.page.keyboard.press('Enter');
    const picker = browser.dialog.getByRole('combobox', { name: 'Quiz' });
    await picker.waitFor();
    await expect.poll(() => picker.evaluate((element) => element.ownerDocument.activeElement === element)).toBe(true);
    await browser.page.keyboard.type('fire');
    await browser.dialog.getByRole('option', { name: 'Fire safety' }).waitFor();
    await browser.dialog.getByRole('option', { name: 'First aid' }).waitFor({ state: 'detached' });
    await browser.page.keyboard.press('Enter');
    for (let presses = 0; presses < 12; presses += 1) {
      await browser.page.keyboard.press('Tab');
      expect(
        await browser.page.evaluate(
          'document.activeElement === document.body || document.querySelector("dialog[open]").contains(document.activeElement)',
        ),
      ).toBe(true);
    }
    await browser.dialog.getByRole('button', { name: 'Close quiz' }).focus();
    await browser.page.keyboard.press('Enter');
    await browser.log.getByText('closed Fire safety').waitFor();
    await expect
      .poll(() => shortcuts.evaluate((element) => element.ownerDocument.activeElement === element))
      .toBe(true);
  });

  it('Escape closes first the picker and then the modal, and submits nothing', async () => {
    await showcase.open();
    await browser.page.getByRole('button', { name: 'Shortcuts' }).click();
    await browser.page.getByRole('menuitem', { name: /Close a quiz/ }).click();
    const picker = browser.dialog.getByRole('combobox', { name: 'Quiz' });
    await picker.click();
    await browser.dialog.getByRole('option', { name: 'Fire safety' }).waitFor();
    await browser.page.keyboard.press('Escape');
    await browser.dialog.getByRole('listbox', { name: 'Quiz' }).waitFor({ state: 'hidden' });
    expect(await browser.dialog.isVisible()).toBe(true);
    await browser.page.keyboard.press('Escape');
    await browser.dialog.waitFor({ state: 'hidden' });
    expect(showcase.bot.workspace.views(people.ada.id)).toEqual([]);
    expect(showcase.bot.workspace.deliveries.some((delivery) => delivery.kind === 'view_submission')).toBe(false);
  });

  it('asks for confirmation of a dangerous button', async () => {
    await showcase.open();
    await type(browser.page, '/quiz list');
    await browser.log.getByRole('button', { name: 'Close' }).first().click();
    await browser.dialog.getByText('Nobody can take Fire safety any more.').waitFor();
    await keepScreenshot(browser.page, 'workspace-confirm');
    await expectAccessible(browser.page);
    await browser.dialog.getByRole('button', { name: 'Keep it open' }).click();
    await browser.dialog.waitFor({ state: 'hidden' });
    expect(showcase.bot.workspace.deliveries.some((delivery) => delivery.kind === 'block_actions')).toBe(false);
    await browser.log.getByRole('button', { name: 'Close' }).first().click();
    await browser.dialog.getByRole('button', { name: 'Close it' }).click();
    await browser.log.getByText('closed a quiz').waitFor();
  });

  it('fills in every kind of input with mouse and keyboard and opens a second modal on top', async () => {
    await showcase.open();
    await type(browser.page, '/quiz inputs');
    await browser.dialog.getByRole('heading', { name: 'Every input' }).waitFor();
    await keepScreenshot(browser.page, 'workspace-inputs');
    await expectAccessible(browser.page);
    await browser.dialog.getByRole('button', { name: 'Save' }).click();
    await browser.dialog.getByText('Please complete this required field.').first().waitFor();
    await expect
      .poll(() =>
        browser.dialog
          .getByRole('textbox', { name: 'Name' })
          .evaluate((element) => element.ownerDocument.activeElement === element),
      )
      .toBe(true);
    await browser.dialog.getByRole('textbox', { name: 'Name' }).fill('Ada');
    await browser.dialog.getByRole('textbox', { name: 'E-mail address' }).fill('ada@quiz.example');
    await browser.dialog.getByRole('combobox', { name: 'People' }).click();
    await browser.dialog.getByRole('option', { name: 'Rosa Almeida' }).click();
    await browser.dialog.getByRole('combobox', { name: 'People' }).pressSequentially('ravi');
    await browser.page.keyboard.press('Enter');
    await browser.dialog.getByRole('button', { name: 'Remove Rosa Almeida' }).waitFor();
    await browser.dialog.getByRole('combobox', { name: 'Quizzes' }).click();
    await browser.dialog.getByRole('option', { name: 'Food hygiene' }).click();
    await browser.dialog.getByRole('combobox', { name: 'Status' }).click();
    await browser.dialog.getByRole('option', { name: /Open/ }).click();
    await browser.dialog.getByRole('combobox', { name: 'Channel' }).click();
    await browser.dialog.getByRole('option', { name: '#training', exact: true }).click();
    await browser.dialog.getByRole('checkbox', { name: 'Edit quizzes' }).check();
    await browser.dialog.getByLabel('Until').fill('2026-11-27T09:30');
    await browser.dialog.getByRole('textbox', { name: 'Note' }).fill('One\nTwo');
    await browser.dialog.getByRole('button', { name: 'Deeper' }).click();
    await browser.dialog.getByRole('heading', { name: 'One deeper' }).waitFor();
    await expectAccessible(browser.page);
    await browser.dialog.getByRole('button', { name: 'Back' }).click();
    await browser.dialog.getByRole('heading', { name: 'Every input' }).waitFor();
    await browser.dialog.getByRole('button', { name: 'Save' }).click();
    const submission = await showcase.bot.workspace.until(() =>
      showcase.bot.workspace.deliveries.find((delivery) => delivery.kind === 'view_submission'),
    );
    expect(submission.body).toMatchObject({
      view: {
        state: {
          values: {
            name: { name: { value: 'Ada' } },
            people: { people: { selected_users: [people.rosa.id, people.ravi.id] } },
            quizzes: { quizzes: { selected_options: [{ value: '13' }] } },
            status: { status: { selected_option: { value: 'open' } } },
            rights: { rights: { selected_options: [{ value: 'edit quizzes' }] } },
            from: { from: { selected_date: '2026-11-20' } },
            channel: { channel: { selected_conversation: channels.training.id } },
            until: { until: { selected_date_time: expect.any(Number) } },
            note: { note: { value: 'One\nTwo' } },
          },
        },
      },
    });
  });
});
