import type { AuditEntry } from '../../src/domain/audit-chain.ts';
import type { Message, View } from '../../src/sandbox/workspace/model.ts';
import { people } from '../../src/sandbox/workspace/people.ts';
import { slackbotOf, withAgents } from './agents.ts';
import { approvalActions, hasButton, leadsChannelId } from './approvals.ts';
import { fastTime } from './fast-clock.ts';
import { changesIn, inTheAccount, manyChanges } from './many-changes.ts';
import { actionIdOf, locationOf } from './results.ts';
import { recordIn } from './record-in-file.ts';
import { temporaryDirectory } from './temporary.ts';
import { startTestBed, textOf, type TestBed } from './test-bed.ts';
import { runStep, untilEnded, withSteps } from './workflow-steps.ts';

export type Decision = 'at once' | 'approval' | 'refused';

/** A change, and what people give for it in each way in which they can make it. */
export interface Change {
  operation: string;
  /** Brings the account about, before the bot reads it. */
  prepare?: (account: ReturnType<typeof inTheAccount>, testBed: TestBed) => void;
  command: string;
  /** The values of the form that the command opens. */
  form?: Record<string, string>;
  /** The arguments of the tool. */
  given: Record<string, string | string[]>;
  step?: { name: string; inputs: Record<string, string> };
  /** Many changes of which this one is the only one that changes something: a command with a preview, or a file to import. */
  batch?: { command: string } | { file: string; updates: boolean };
}

export type Way = 'command' | 'agent' | 'step' | 'batch';

/** What came of a change. After an approval, `by` is who approved it, and left out. */
export interface Made {
  decision: Decision;
  /** The changing requests, with the parameters in the order of their names. */
  changes: string[];
  /** The entries on the record about what was done, but for time, correlation ID, request, batch and way. */
  entries: object[];
  through: string[];
}

const reason = 'Needed for the audit';

/** Makes the change as the person, and approves it where it waits for that. Each time is with an account of its own. */
export async function makeChange(change: Change, personId: string, way: Way): Promise<Made> {
  const dataDir = temporaryDirectory();
  // The message about the progress of a batch changes every two seconds.
  const { clock, workspace, quizService } = fastTime(3);
  const testBed = await startTestBed({
    // The oddities of records are the matter of other tests.
    account: 'smooth',
    clock,
    workspace: { ...workspace, ...(way === 'step' && withSteps.workspace) },
    quizService,
    env: {
      ...(way === 'step' && withSteps.env),
      ...(way === 'agent' && withAgents),
      ALERTS_CHANNEL: '',
      APPROVALS_CHANNEL: leadsChannelId,
      OWNERS: people.tom.id,
      DATA_DIR: dataDir,
    },
  });
  const account = inTheAccount(testBed);
  // To name the groups whose members a trainer of users suspends.
  account.change('uma', 'manage_groups = 1');
  change.prepare?.(account, testBed);
  const { requests, approve } = approvalActions(testBed);

  const isRequested = await tries[way](testBed, change, personId);
  if (isRequested) {
    await approve(people.tom.id, await testBed.workspace.until(() => requests()[0]));
    if (way === 'batch') await manyChanges(testBed, personId).progress(/Finished/);
  }
  const changes = changesIn(testBed).map(comparableRequest);
  const done = recordIn(dataDir).filter(({ operation, action }) => operation === change.operation && action === 'done');
  return {
    decision: isRequested ? 'approval' : changes.length > 0 ? 'at once' : 'refused',
    changes,
    entries: done.map((entry) => comparableEntry(entry, { isApproved: isRequested })),
    through: done.map(({ through }) => through),
  };
}

/** Each tries to make the change. @returns whether it waits for approval */
const tries: Record<Way, (testBed: TestBed, change: Change, personId: string) => Promise<boolean>> = {
  async command(testBed, { command, form }, personId) {
    const { workspace } = testBed;
    const person = workspace.as(personId);
    if (form === undefined) {
      const answer = await (await person.command(`${command} --reason "${reason}"`)).reply();
      return isRequest(textOf(hasButton(answer, confirmed) ? await confirm(testBed, personId, answer) : answer));
    }
    await person.command(command);
    const opened = await formOf(testBed, personId);
    if (opened === undefined) return false;
    const { view } = await person.submit(opened, { ...form, ...(hasInput(opened, 'reason') && { reason }) });
    return isRequest(textOf(view));
  },
  async agent(testBed, { operation, given }, personId) {
    const { workspace } = testBed;
    const client = await slackbotOf(testBed, personId);
    const { structuredContent } = await client.callTool({ name: operation, arguments: { ...given, reason } });
    const { status } = structuredContent as { status: string };
    if (status !== 'press') return status === 'requested';
    const question = await workspace.until(() =>
      workspace.directMessages(personId).findLast((message) => hasButton(message, confirmed)),
    );
    return isRequest(textOf(await confirm(testBed, personId, question)));
  },
  async step(testBed, { step }, personId) {
    const { requests } = approvalActions(testBed);
    const execution = await runStep(testBed, personId, step!.name, { ...step!.inputs, reason });
    await testBed.workspace.until(() => execution.state !== 'running' || requests().length > 0);
    if (execution.state !== 'running') return false;
    void untilEnded(testBed, execution).catch(() => {});
    return true;
  },
  async batch(testBed, { batch }, personId) {
    const { workspace } = testBed;
    const person = workspace.as(personId);
    const { progress, previewImport, requestImport, startImport, start } = manyChanges(testBed, personId);
    if (batch && 'file' in batch) {
      await person.command('/quiz-user import');
      const opened = await formOf(testBed, personId);
      if (opened === undefined) return false;
      await person.close(opened);
      const preview = await previewImport(batch.file, batch.updates ? { existing: ['update'] } : {});
      if (textOf(preview).includes('form:run-batch')) {
        await requestImport(preview, reason);
        return true;
      }
      await startImport(preview);
    } else {
      const preview = await (await person.command(batch?.command ?? '')).reply();
      if (!/Nothing happens until you start it/.test(textOf(preview))) return false;
      if (textOf(preview).includes('Request approval')) {
        const form = await (await person.click(locationOf(preview), actionIdOf(preview, 'Request approval'))).view();
        await person.submit(form, { reason });
        return true;
      }
      await start(preview);
    }
    await progress(/Finished/);
    return false;
  },
};

const confirmed = 'choose:confirmed';

/** Goes on after a question or a warning. @returns the answer in its place */
async function confirm({ workspace }: TestBed, personId: string, question: Message): Promise<Message> {
  await workspace.as(personId).click(locationOf(question), confirmed);
  return workspace.until(() =>
    [...workspace.directMessages(personId), ...workspace.ephemerals(personId)].find(
      (message) => message.ts === question.ts && !hasButton(message, confirmed),
    ),
  );
}

/** The form that a command opens; undefined where it is refused. */
async function formOf({ workspace }: TestBed, personId: string): Promise<View | undefined> {
  const { form } = await workspace.until(() => {
    const view = workspace.views(personId).at(-1);
    const isRefused = [view, workspace.ephemerals(personId).at(-1)].some((shown) => textOf(shown).includes('🚫'));
    if (isRefused) return { form: undefined };
    return view?.submit ? { form: view } : undefined;
  });
  return form;
}

const hasInput = ({ blocks }: View, name: string): boolean =>
  blocks.some((block) => 'block_id' in block && block.block_id === name);

const isRequest = (answer: string): boolean => answer.includes('Approval requested');

/** The parameters come in the order of their names, and nobody knows a new password. */
function comparableRequest(line: string): string {
  const [method = '', path = '', ...rest] = line.split(' ');
  const parameters = rest
    .join(' ')
    .replace(/password=\w+/, 'password=…')
    .split('&')
    .toSorted();
  return [method, path, parameters.join('&')].join(' ');
}

function comparableEntry(
  {
    at: _at,
    correlationId: _id,
    request: _request,
    batch: _batch,
    through: _through,
    by,
    details = [],
    targets,
    ...entry
  }: AuditEntry,
  { isApproved }: { isApproved: boolean },
): object {
  return {
    ...entry,
    ...(!isApproved && { by }),
    // A user who was created has a new ID each time.
    targets: targets?.map((target) => (/^[\da-f-]{36}$/.test(target.id) ? { ...target, id: 'made' } : target)),
    details: details.filter(({ label }) => label !== 'Batch'),
  };
}
