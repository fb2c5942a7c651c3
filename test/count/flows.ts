import type { View } from '../../src/sandbox/workspace/model.ts';
import { channels, people } from '../../src/sandbox/workspace/people.ts';
import { decisionOn } from '../support/approvals.ts';
import { eventBody, sendEvent } from '../support/event.ts';
import { openTestBed, textOf, type TestBed } from '../support/open-test-bed.ts';
import { Session, type Profiler } from 'node:inspector';
import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The flows that are counted, in the order in which they run. */
export const flowNames = ['form', 'close', 'ask', 'review', 'decide', 'import', 'row', 'webhook'] as const;
export type FlowName = (typeof flowNames)[number];
/** The files in which a function ran, by flow. */
type Flows = Readonly<Record<FlowName, string[]>>;

/** What each flow is, from what a person does to what they read of it. */
export const flowTitles: Readonly<Record<FlowName, string>> = {
  form: '`/quiz close` alone, which opens its form',
  close: '`/quiz close` with a name, by an administrator',
  ask: 'asking to delete a quiz',
  review: 'opening the review of the deletion',
  decide: 'approving the deletion',
  import: 'an import of 3 rows, from Start to its end',
  row: 'one row of it, until the next is sent',
  webhook: 'a webhook, until its message is in the channel',
};

const { ada, tom } = people;
const leads = channels.leads.id;

/** Runs each flow twice in one process, and counts the second time: the first warms caches and what is made when it is needed. */
export async function countFlows(): Promise<Flows> {
  await using cleanUps = new AsyncDisposableStack();
  const counter = startCounting();
  cleanUps.defer(counter.stop);
  const env = { APPROVALS_CHANNEL: leads, OWNERS: tom.id };
  const testBed = await openTestBed({ env }, (step) => cleanUps.defer(step));
  const counting: Counting = { testBed, counter };
  const { workspace } = testBed;
  const closing = () => command(testBed, '/quiz close workplace', 'Closed *');
  await countDeletion(counting, 'onboarding, week 1');
  await countImport(counting, 'warm');
  await countWebhook(counting, 'warm');
  const opening = async () => (await workspace.as(ada.id).command('/quiz close')).view();
  await opening();
  await closing();
  await command(testBed, '/quiz open workplace', 'Opened *');
  const form = await during(counting, opening);
  const close = await during(counting, closing);
  const deletion = await countDeletion(counting, 'forklift');
  const imported = await countImport(counting, 'counted');
  return { form, close, ...deletion, ...imported, webhook: await countWebhook(counting, 'counted') };
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
  const isLoaded = (view: View) => !textOf(view).includes('Asking the quiz service');
  const reviewed = () => workspace.views(tom.id).findLast(isLoaded);

  const ask = await during(counting, async () => {
    await (await workspace.as(ada.id).command(`/quiz delete ${quiz} --reason Old`)).reply();
  });
  await workspace.until(() => requests()[asked]);
  const { channel, ts } = requests()[asked]!;
  const review = await during(counting, async () => {
    await (await workspace.as(tom.id).click({ channel, ts }, 'modal:decide-request')).view();
    await workspace.until(reviewed);
  });
  const view = reviewed()!;
  const decide = await during(counting, async () => {
    await workspace.as(tom.id).submit(view, decisionOn(view));
    await workspace.until(() => textOf(requests()[asked]).includes('approved:'));
  });
  return { ask, review, decide };
}

async function countWebhook(counting: Counting, id: string): Promise<string[]> {
  const { workspace, url } = counting.testBed;
  const posted = () => workspace.messages(channels.results.id);
  const before = posted().length;
  return during(counting, async () => {
    await sendEvent(url, eventBody({ event_id: id }, { response_id: id }));
    await workspace.until(() => posted().length > before);
  });
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
  await workspace.as(ada.id).click({ view: preview }, 'choose:run-batch');
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

/** Counts the calls of functions in this process. */
interface CallCounter {
  /** The source files of the bot in which a function was called since the last call of `take`, relative to the project. */
  take(): string[];
  stop(): void;
}

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Starts V8’s exact count of calls, which slows the process down. */
function startCounting(): CallCounter {
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  return {
    take() {
      let scripts: Profiler.ScriptCoverage[] = [];
      // The session is in the same thread, which calls back at once. Each taking resets the counts.
      session.post('Profiler.takePreciseCoverage', (error, answer) => {
        if (error) throw error;
        scripts = answer.result;
      });
      return scripts
        .filter(({ functions }) => functions.some(isCalled))
        .map(({ url }) => botPathOf(url))
        .filter((path) => path !== undefined)
        .toSorted();
    },
    stop: () => session.disconnect(),
  };
}

/** Whether a function was called. The one that starts at 0 is the top level of the module, which runs when it is loaded. */
function isCalled({ ranges: [whole] }: Profiler.FunctionCoverage): boolean {
  return whole !== undefined && whole.startOffset > 0 && whole.count > 0;
}

function botPathOf(url: string): string | undefined {
  if (!url.startsWith('file:')) return undefined;
  const path = relative(root, fileURLToPath(url)).replaceAll(sep, '/');
  return path.startsWith('src/') && !path.startsWith('src/sandbox/') ? path : undefined;
}
