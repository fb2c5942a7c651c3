import type { BrowserPage } from './browser-page.ts';
import { composerOf } from './page.ts';

/** One thing that a person does. A line or a field that they type counts as typed, everything else as a press. */
export type Step =
  | { type: string }
  | { press: string | RegExp }
  | { pressInForm: string | RegExp }
  | { fill: string | RegExp; with: string }
  | { choose: string | RegExp; option: string | RegExp }
  | { openChannel: string }
  /** Drops a file into the conversation. */
  | { drop: string };

export interface Effort {
  typed: number;
  presses: number;
}

/** Does the steps on the page, and counts them. */
export async function take(browser: BrowserPage, steps: readonly Step[]): Promise<Effort> {
  const effort = { typed: 0, presses: 0 };
  for (const step of steps) {
    await doStep(browser, step);
    if ('type' in step || 'fill' in step) effort.typed += 1;
    else effort.presses += 'choose' in step ? 2 : 1;
  }
  return effort;
}

async function doStep({ page, dialog, log }: BrowserPage, step: Step): Promise<void> {
  if ('type' in step) {
    await composerOf(page).fill(step.type);
    await composerOf(page).press('Enter');
  } else if ('press' in step) await log.getByRole('button', { name: step.press, exact: true }).last().click();
  else if ('drop' in step) {
    const chooser = page.waitForEvent('filechooser');
    await page.getByText('📎').click();
    await (await chooser).setFiles(step.drop);
    await page.getByRole('button', { name: 'Send', exact: true }).click();
  } else if ('pressInForm' in step) {
    const name = { name: step.pressInForm, exact: true };
    await dialog.getByRole('button', name).or(dialog.getByRole('radio', name)).last().click();
  } else if ('fill' in step) await dialog.getByLabel(step.fill).fill(step.with);
  else if ('choose' in step) {
    await dialog.getByRole('combobox', { name: step.choose }).click();
    await dialog.getByRole('option', { name: step.option }).first().click();
  } else
    await page
      .getByRole('navigation')
      .getByRole('button', { name: new RegExp(String.raw`${step.openChannel}(?![\w-])`) })
      .click();
}
