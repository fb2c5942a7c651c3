import type { View } from '../../src/sandbox/workspace/model.ts';
import { channels, people } from '../../src/sandbox/workspace/people.ts';
import { decisionOn } from '../support/decision-on.ts';
import { openTestBed, textOf, type TestBed } from '../support/open-test-bed.ts';
import { startCounting, type CallCounter } from './running-files.ts';

/** The flows that are counted, in the order in which they run. */
export const flowNames = ['close', 'ask', 'review', 'decide', 'import', 'row'] as const;
export type FlowName = (typeof flowNames)[number];
/** The files in which a function ran, by flow. */
type Flows = Readonly<Record<FlowName, string[]>>;

/** What each flow is, from what a person does to what they read of it. */
export const flowTitles: Readonly<Record<FlowName, string>> = {
  close: '`/quiz close`, by an administrator',
  ask: 'asking to delete a quiz',
  review: 'opening the review of the deletion',
  decide: 'approving the deletion',
  import: 'an import of 3 rows, from Start to its end',
  row: 'one row of it, until the next is sent',
};

const { ada, tom } = people;
const leads = channels.leads.id;

/** Runs each flow twice in one process, and counts the second time: the first warms caches and what is made when it is needed. */
export async function countFlows(): Promise<Flows> {
  const takeDown: (() => void | Promise<void>)[] = [];
  const counter = startCounting();
  try {
    const env = { APPROVALS_CHANNEL: leads, OWNERS: tom.id };
    const testBed = await openTestBed({ env }, (step) => takeDown.push(step));
    const counting: Counting = { testBed, counter };
    const closing = () => command(testBed, '/quiz close workplace', 'Closed *');
    await countDeletion(counting, 'onboarding, week 1');
    await countImport(counting, 'warm');
    await closing();
    await command(testBed, '/quiz open workplace', 'Opened *');
    const close = await during(counting, closing);
    const deletion = await countDeletion(counting, 'forklift');
    return { close, ...deletion, ...(await countImport(counting, 'counted')) };
  } finally {
    counter.stop();
    for (const step of takeDown.toReversed()) await step();
  }
}

interface Counting {
  testBed: TestBed;
  counter: CallCounter;
}

async function during({ counter }: Counting, act: () => Promise<unknown>): Promise<string[]> {
  counter.take();
  await act();
  return counter.take();
}

async function command({ workspace }: TestBed, line: string, words: string): Promise<void> {
  const answer = textOf(await (await workspace.as(ada.id).command(line)).reply());
  if (!answer.includes(words)) throw new Error(`${line}: ${answer}`);
}

async function countDeletion(counting: Counting, quiz: string): Promise<Record<'ask' | 'review' | 'decide', string[]>> {
  const { workspace } = counting.testBed;
  const requests = () =>
    workspace.messages(leads).filter(({ metadata }) => metadata?.event_type === 'approval_request');
  const asked = requests().length;
  const isLoaded = (view: View) => !textOf(view).includes('Checking with the quiz service');
  const reviewed = () => workspace.views(tom.id).findLast(isLoaded);

  const ask = await during(counting, async () => {
    await (await workspace.as(ada.id).command(`/quiz delete ${quiz} --reason Old`)).reply();
  });
  await workspace.until(() => requests()[asked]);
  const { channel, ts } = requests()[asked]!;
  const review = await during(counting, async () => {
    await (await workspace.as(tom.id).click({ channel, ts }, 'approve-request')).view();
    await workspace.until(reviewed);
  });
  const view = reviewed()!;
  const decide = await during(counting, async () => {
    await workspace.as(tom.id).submit(view, decisionOn(view));
    await workspace.until(() => textOf(requests()[asked]).includes('approved this request'));
  });
  return { ask, review, decide };
}

/** Imports three new users, each with a group and a quiz. */
async function countImport(counting: Counting, name: string): Promise<Record<'import' | 'row', string[]>> {
  const { testBed } = counting;
  const { workspace, requests } = testBed;
  const rows = [1, 2, 3].map(
    (row) => `${name}.${row}@quiz.example,New,${name} ${row},Kitchen,Workplace safety basics\n`,
  );
  const content = `E-mail,First name,Last name,Groups,Quizzes\n${rows.join('')}`;
  const form = await (await workspace.as(ada.id).command('/quiz-user import')).view();
  await workspace.as(ada.id).submit(form, { file: [{ name: `${name}.csv`, content }] });
  const preview = await workspace.until(() =>
    workspace
      .views(ada.id)
      .findLast((view) => /Nothing has changed yet/.test(textOf(view)) && textOf(view).includes(name)),
  );
  const isFinished = () =>
    workspace
      .directMessages(ada.id)
      .some((message) => /Finished/.test(textOf(message)) && textOf(message).includes(name));

  const creations = requests.filter(isCreation).length;
  const takenAt: string[][] = [];
  const noteCreation = (request: string) => {
    if (isCreation(request)) takenAt.push(counting.counter.take());
    return false;
  };
  counting.counter.take();
  testBed.setServiceFault('429', noteCreation);
  await workspace.as(ada.id).click({ view: preview }, 'choose:start');
  await workspace.until(isFinished);
  testBed.setServiceFault(undefined);
  const rest = counting.counter.take();
  if (requests.filter(isCreation).length !== creations + rows.length) throw new Error('a row was not sent once');
  // The proxy asks before and after each request. What was taken before the first one is of no row.
  const [, sent = [], settled = [], sentNext = [], settledNext = []] = takenAt;
  const next = new Set([...sentNext, ...settledNext]);
  return {
    import: unionOf(...takenAt, rest),
    row: unionOf(sent, settled).filter((path) => next.has(path)),
  };
}

const unionOf = (...paths: readonly string[][]) => [...new Set(paths.flat())].toSorted();

const isCreation = (request: string) => /^POST \S*\/users(?: |$)/.test(request);
