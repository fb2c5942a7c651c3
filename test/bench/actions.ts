import { channels, people } from '../../src/sandbox/workspace/people.ts';
import { decisionOn } from '../support/approvals.ts';
import { openTestBed, textOf, type TestBed } from '../support/open-test-bed.ts';
import { heldAgainst, type BenchRow } from './bench-row.ts';
import type { GoalName } from './goals.ts';

const { ada, erin, uma } = people;

/** What an action of a person costs the quiz service, once the bot has its lists: its writes, and its reads. */
const actions = [
  {
    name: 'close a quiz by command',
    goal: 'change by command',
    act: (testBed) => command(testBed, '/quiz close workplace'),
  },
  { name: 'close a quiz by form', goal: 'change by form', act: closeByForm },
  {
    name: 'assign a quiz to one person',
    goal: 'assignment',
    act: (testBed) => command(testBed, '/quiz assign data protection to Rosa Almeida'),
  },
  {
    name: 'suspend a user',
    goal: 'suspension',
    act: (testBed) => command(testBed, '/quiz-user suspend Ravi Banerjee'),
  },
  { name: 'list the quizzes', goal: 'list', act: (testBed) => command(testBed, '/quiz list') },
  { name: 'ten keystrokes in a picker', goal: 'picker', act: typeInPicker },
] as const satisfies { name: string; goal: GoalName; act: (testBed: TestBed) => Promise<void> }[];

/** Asked by somebody who may not do it alone, reviewed, approved and run. The change is among the requests. */
const approvals = [
  {
    name: 'suspend a user with approval, from asking to running',
    goal: 'approved suspension',
    personId: uma.id,
    line: '/quiz-user suspend Rosa Almeida --reason Left',
  },
  {
    name: 'delete a quiz with approval, which counts its responses',
    goal: 'approved deletion',
    personId: erin.id,
    line: '/quiz delete forklift --reason Old',
  },
] as const;
/** Longer than what a step has read serves the next, and so short that no list ages meanwhile. */
const betweenStepsMs = 11_000;
const leads = channels.leads.id;

export async function run(): Promise<BenchRow[]> {
  return [...(await inTestBed({}, runActions)), ...(await runApprovals())];
}

async function inTestBed<Result>(
  options: Parameters<typeof openTestBed>[0],
  use: (testBed: TestBed) => Promise<Result>,
): Promise<Result> {
  await using cleanUps = new AsyncDisposableStack();
  const testBed = await openTestBed(options, (step) => cleanUps.defer(step));
  await command(testBed, '/quiz list');
  return await use(testBed);
}

async function runActions(testBed: TestBed): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const { name, goal, act } of actions) {
    const { writes, reads } = await requestsOf(testBed, act);
    rows.push({
      name: `requests to the service: ${name}`,
      figure: countsInWords(writes, reads),
      ...heldAgainst(goal, { writes, reads }),
    });
  }
  return rows;
}

async function runApprovals(): Promise<BenchRow[]> {
  let now = Date.now();
  const options = { now: () => now, workspace: { now: () => now }, env: { APPROVALS_CHANNEL: leads } };
  const pass = () => void (now += betweenStepsMs);
  return inTestBed(options, async (testBed) => {
    const rows: BenchRow[] = [];
    for (const { name, goal, personId, line } of approvals) {
      const { writes, reads } = await requestsOf(testBed, () => askAndApprove(testBed, personId, line, pass));
      rows.push({
        name: `requests to the service: ${name}`,
        figure: `${writes + reads} (${countsInWords(writes, reads)})`,
        ...heldAgainst(goal, { writes, all: writes + reads }),
      });
    }
    return rows;
  });
}

async function requestsOf(
  testBed: TestBed,
  act: (testBed: TestBed) => Promise<void>,
): Promise<{ writes: number; reads: number }> {
  const before = testBed.requests.length;
  await act(testBed);
  const asked = testBed.requests.slice(before);
  const reads = asked.filter((request) => request.startsWith('GET')).length;
  return { writes: asked.length - reads, reads };
}

function countsInWords(writes: number, reads: number): string {
  return `${writes} ${writes === 1 ? 'write' : 'writes'}, ${reads} ${reads === 1 ? 'read' : 'reads'}`;
}

async function askAndApprove({ workspace }: TestBed, personId: string, line: string, pass: () => void): Promise<void> {
  const requests = () =>
    workspace.messages(leads).filter(({ metadata }) => metadata?.event_type === 'approval_request');
  const asked = requests().length;
  await workspace.as(personId).command(line);
  const request = await workspace.until(() => requests()[asked]);
  pass();
  await workspace.as(ada.id).click({ channel: leads, ts: request.ts }, 'modal:decide-request');
  const view = await workspace.until(() =>
    workspace.views(ada.id).findLast(({ callback_id: form }) => form === 'decide-request'),
  );
  pass();
  await workspace.as(ada.id).submit(view, decisionOn(view));
  await workspace.until(() => textOf(requests()[asked]).includes('approved:'));
}

async function command({ workspace }: TestBed, text: string): Promise<void> {
  await (await workspace.as(ada.id).command(text)).reply();
}

async function closeByForm({ workspace }: TestBed): Promise<void> {
  const form = await (await workspace.as(ada.id).shortcut('close-quiz')).view();
  const { view } = await workspace.as(ada.id).submit(form, { quiz: 'Onboarding, week 1' });
  if (!textOf(view).includes('Closed *')) throw new Error('the quiz was not closed');
}

async function typeInPicker({ workspace }: TestBed): Promise<void> {
  const form = await (await workspace.as(ada.id).shortcut('suspend-user')).view();
  for (let letters = 1; letters <= 10; letters += 1)
    await workspace.as(ada.id).options(form, 'user', 'rosa almeida'.slice(0, letters));
}
