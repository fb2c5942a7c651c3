import { describe, expect, test } from 'vitest';
import { channels, people } from '../../src/sandbox/workspace/people.ts';
import { startTestBed } from '../support/test-bed.ts';
import { useBrowserPage } from './support/browser-page.ts';
import { noBrowser } from './support/chromium.ts';
import { type Effort, type Step, take } from './support/newcomer.ts';
import { actAs } from './support/page.ts';

interface Task {
  name: string;
  person: { id: string };
  /** What a person does who has read no help, beginning with the words that come to mind. */
  steps: readonly Step[];
  /** What shows that it is done. */
  sees: RegExp;
}

const { erin, uma, ada, tom } = people;

const tasks: readonly Task[] = [
  { name: 'List the quizzes', person: erin, steps: [{ type: '/quiz list' }], sees: /9 quizzes/ },
  { name: 'See the results of a quiz', person: erin, steps: [{ type: '/quiz results food' }], sees: /Submitted/ },
  { name: 'See who failed', person: erin, steps: [{ type: '/quiz results food failed' }], sees: /only failed/ },
  {
    name: 'Assign a quiz to a channel',
    person: erin,
    steps: [{ type: '/quiz assign food to #training' }, { press: /^Assign to/ }],
    sees: /Assigned Food hygiene|had Food hygiene/,
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
  },
  {
    name: 'Approve it',
    person: ada,
    steps: [{ openChannel: 'training-leads' }, { press: /^Approve/ }, { pressInForm: 'Approve' }],
    sees: /Suspended Rosa/,
  },
  {
    name: 'Subscribe a channel',
    person: tom,
    steps: [{ openChannel: 'training' }, { type: '/quiz-alerts subscribe food' }],
    sees: /subscribed this channel/,
  },
  { name: 'Pause until tomorrow', person: tom, steps: [{ type: '/quiz-alerts pause until tomorrow' }], sees: /Paused/ },
  { name: 'Find a person', person: uma, steps: [{ type: '/quiz-user find rosa' }], sees: /Rosa Almeida/ },
];

/** In an hour of their own: together, they would take more requests than the service has for a minute. */
const otherTasks: readonly Task[] = [
  {
    name: 'Get a daily digest',
    person: tom,
    steps: [{ type: '/quiz-alerts subscribe forklift daily digest' }],
    sees: /a daily digest at/,
  },
  {
    name: 'See who failed last week',
    person: erin,
    steps: [{ type: '/quiz who failed last week' }],
    sees: /Looked at/,
  },
  {
    name: 'See one attempt',
    person: erin,
    steps: [{ type: '/quiz attempt workplace aisha' }],
    sees: /Aisha Rahman failed/,
  },
  {
    name: 'Start a campaign',
    person: ada,
    steps: [{ type: '/quiz-campaign start data kitchen friday' }, { press: /^Start/ }],
    sees: /Started a campaign for Data protection/,
  },
  {
    name: 'Remind people',
    person: ada,
    steps: [{ type: '/quiz-campaign remind data' }],
    sees: /Scheduled|is left to remind/,
  },
  {
    name: 'Excuse a person',
    person: ada,
    steps: [{ type: '/quiz-campaign excuse chiara from data, on leave' }],
    sees: /Excused Chiara Lombardi/,
  },
  { name: 'Undo the excuse', person: ada, steps: [{ press: 'Undo' }], sees: /Included Chiara Lombardi/ },
];

describe.skipIf(noBrowser)('a newcomer’s hour', () => {
  const browser = useBrowserPage();

  async function effortsOf(some: readonly Task[]): Promise<Record<string, Effort>> {
    const { workspace } = await startTestBed({
      env: { APPROVALS_CHANNEL: channels.leads.id, AUDIT_CHANNEL: channels.leads.id },
    });
    await browser.goTo(workspace.url);
    const efforts: Record<string, Effort> = {};
    for (const { name, person, steps, sees } of some) {
      await actAs(browser.page, person);
      efforts[name] = await take(browser, steps);
      await browser.page.getByText(sees).filter({ visible: true }).last().waitFor();
      await browser.page.keyboard.press('Escape');
    }
    return efforts;
  }

  test('each of the usual tasks takes this many lines and presses', async () => {
    expect(await effortsOf(tasks)).toMatchInlineSnapshot(`
      {
        "Approve it": {
          "presses": 3,
          "typed": 0,
        },
        "Assign a quiz to a channel": {
          "presses": 1,
          "typed": 1,
        },
        "Find a person": {
          "presses": 0,
          "typed": 1,
        },
        "List the quizzes": {
          "presses": 0,
          "typed": 1,
        },
        "Pause until tomorrow": {
          "presses": 0,
          "typed": 1,
        },
        "See the results of a quiz": {
          "presses": 0,
          "typed": 1,
        },
        "See who failed": {
          "presses": 0,
          "typed": 1,
        },
        "Subscribe a channel": {
          "presses": 1,
          "typed": 1,
        },
        "Suspend a person": {
          "presses": 2,
          "typed": 2,
        },
      }
    `);
  });

  test('so does each of the tasks of campaigns, digests and results', async () => {
    expect(await effortsOf(otherTasks)).toMatchInlineSnapshot(`
      {
        "Excuse a person": {
          "presses": 0,
          "typed": 1,
        },
        "Get a daily digest": {
          "presses": 0,
          "typed": 1,
        },
        "Remind people": {
          "presses": 0,
          "typed": 1,
        },
        "See one attempt": {
          "presses": 0,
          "typed": 1,
        },
        "See who failed last week": {
          "presses": 0,
          "typed": 1,
        },
        "Start a campaign": {
          "presses": 1,
          "typed": 1,
        },
        "Undo the excuse": {
          "presses": 1,
          "typed": 0,
        },
      }
    `);
  });
});
