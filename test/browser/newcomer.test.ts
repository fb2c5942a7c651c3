import { describe, expect, test } from 'vitest';
import { channels, people } from '../../src/sandbox/workspace/people.ts';
import { startTestBed } from '../support/test-bed.ts';
import { type BrowserPage, useBrowserPage } from './support/browser-page.ts';
import { noBrowser } from './support/chromium.ts';
import { actAs, composerOf, expectAccessible, keepLooks } from './support/page.ts';

/** One thing that a person does. A line or a field that they type counts as typed, everything else as a press. */
type Step =
  | { type: string }
  | { press: string | RegExp }
  | { pressInForm: string | RegExp }
  | { fill: string | RegExp; with: string }
  | { openChannel: string };

interface Effort {
  typed: number;
  presses: number;
}

interface Task {
  name: string;
  person: { id: string };
  /** What a person does who has read no help, beginning with the words that come to mind. */
  steps: readonly Step[];
  /** What shows that it is done. */
  sees: RegExp;
  /** How many lines and presses that takes. */
  effort: Effort;
}

const { erin, uma, ada, tom } = people;

const tasks: readonly Task[] = [
  {
    name: 'List the quizzes',
    person: erin,
    steps: [{ type: '/quiz list' }],
    sees: /9 quizzes/,
    effort: { typed: 1, presses: 0 },
  },
  {
    name: 'See the results of a quiz',
    person: erin,
    steps: [{ type: '/quiz results food' }],
    sees: /Submitted/,
    effort: { typed: 1, presses: 0 },
  },
  {
    name: 'See who failed',
    person: erin,
    steps: [{ type: '/quiz results food failed' }],
    sees: /only failed/,
    effort: { typed: 1, presses: 0 },
  },
  {
    name: 'Assign a quiz to a channel',
    person: erin,
    steps: [{ type: '/quiz assign food to #training' }, { press: /^Assign to/ }],
    sees: /Assigned Food hygiene|had Food hygiene/,
    effort: { typed: 1, presses: 1 },
  },
  {
    name: 'Suspend a person',
    person: uma,
    steps: [
      { type: '/quiz-user suspend rosa' },
      { press: 'Give a reason' },
      { fill: /^Why|^Reason/, with: 'She has left' },
      { pressInForm: /^(?:Ask for|Request) approval$/ },
    ],
    sees: /Approval requested/,
    effort: { typed: 2, presses: 2 },
  },
  {
    name: 'Approve it',
    person: ada,
    steps: [{ openChannel: 'training-leads' }, { press: /^Approve/ }, { pressInForm: 'Approve' }],
    sees: /Suspended Rosa/,
    effort: { typed: 0, presses: 3 },
  },
  {
    name: 'Subscribe a channel',
    person: tom,
    steps: [{ openChannel: 'training' }, { type: '/quiz-alerts subscribe food' }],
    sees: /subscribed this channel/,
    effort: { typed: 1, presses: 1 },
  },
  {
    name: 'Pause until tomorrow',
    person: tom,
    steps: [{ type: '/quiz-alerts pause until tomorrow' }],
    sees: /Paused/,
    effort: { typed: 1, presses: 0 },
  },
  {
    name: 'Find a person',
    person: uma,
    steps: [{ type: '/quiz-user find rosa' }],
    sees: /Rosa Almeida/,
    effort: { typed: 1, presses: 0 },
  },
];

/** In an hour of their own: together, they would take more requests than the service has for a minute. */
const otherTasks: readonly Task[] = [
  {
    name: 'Get a daily digest',
    person: tom,
    steps: [{ type: '/quiz-alerts subscribe forklift daily digest' }],
    sees: /a daily digest at/,
    effort: { typed: 1, presses: 0 },
  },
  {
    name: 'See who failed last week',
    person: erin,
    steps: [{ type: '/quiz who failed last week' }],
    sees: /Looked at/,
    effort: { typed: 1, presses: 0 },
  },
  {
    name: 'See one attempt',
    person: erin,
    steps: [{ type: '/quiz attempt workplace aisha' }],
    sees: /Aisha Rahman failed/,
    effort: { typed: 1, presses: 0 },
  },
  {
    name: 'Start a campaign',
    person: ada,
    steps: [{ type: '/quiz-campaign start data kitchen friday' }, { press: /^Start/ }],
    sees: /Started a campaign for Data protection/,
    effort: { typed: 1, presses: 1 },
  },
  {
    name: 'Remind people',
    person: ada,
    steps: [{ type: '/quiz-campaign remind data' }],
    sees: /Scheduled|is left to remind/,
    effort: { typed: 1, presses: 0 },
  },
  {
    name: 'Excuse a person',
    person: ada,
    steps: [{ type: '/quiz-campaign excuse chiara from data, on leave' }],
    sees: /Excused Chiara Lombardi/,
    effort: { typed: 1, presses: 0 },
  },
  {
    name: 'Undo the excuse',
    person: ada,
    steps: [{ press: 'Undo' }],
    sees: /Included Chiara Lombardi/,
    effort: { typed: 0, presses: 1 },
  },
];

describe.skipIf(noBrowser)('a newcomer’s hour', () => {
  const browser = useBrowserPage();

  test.each([
    ['of quizzes, people and alerts', tasks],
    ['of campaigns, digests and results', otherTasks],
  ])(
    'each of the usual tasks %s takes this many lines and presses, and what it ends with is accessible',
    async (_, some) => {
      const { workspace } = await startTestBed({
        env: { APPROVALS_CHANNEL: channels.leads.id, AUDIT_CHANNEL: channels.leads.id },
      });
      await browser.goTo(workspace.url);
      const { page } = browser;
      for (const { name, person, steps, sees, effort } of some) {
        await actAs(page, person);
        expect([name, await take(browser, steps)]).toEqual([name, effort]);
        await page.getByText(sees).filter({ visible: true }).last().waitFor();
        await expectAccessible(page);
        await keepLooks(page, `newcomer-${name}`);
        await page.keyboard.press('Escape');
      }
    },
  );
});

/** Does the steps on the page, and counts them. */
async function take(browser: BrowserPage, steps: readonly Step[]): Promise<Effort> {
  const effort = { typed: 0, presses: 0 };
  for (const step of steps) {
    await doStep(browser, step);
    if ('type' in step || 'fill' in step) effort.typed += 1;
    else effort.presses += 1;
  }
  return effort;
}

async function doStep({ page, dialog, log }: BrowserPage, step: Step): Promise<void> {
  if ('type' in step) {
    await composerOf(page).fill(step.type);
    await composerOf(page).press('Enter');
  } else if ('press' in step) await log.getByRole('button', { name: step.press, exact: true }).last().click();
  else if ('pressInForm' in step) {
    const name = { name: step.pressInForm, exact: true };
    await dialog.getByRole('button', name).or(dialog.getByRole('radio', name)).last().click();
  } else if ('fill' in step) await dialog.getByLabel(step.fill).fill(step.with);
  else
    await page
      .getByRole('navigation')
      .getByRole('button', { name: new RegExp(String.raw`${step.openChannel}(?![\w-])`) })
      .click();
}
