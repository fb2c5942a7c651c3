import { describe, expect, test } from 'vitest';
import { people } from '../../src/sandbox/workspace/people.ts';
import { addCrew, changesIn, inTheAccount, manyChanges } from '../support/many-changes.ts';
import { type TestBed, startTestBed, textOf } from '../support/test-bed.ts';
import type { AuditEntry } from '../../src/domain/audit-chain.ts';
import type { Message, View } from '../../src/sandbox/workspace/model.ts';
import { approvalActions, hasButton, leadsChannelId } from '../support/approvals.ts';
import { fastTime } from '../support/fast-clock.ts';
import { actionIdOf, locationOf } from '../support/results.ts';
import { recordIn } from '../support/opened-links.ts';
import { temporaryDirectory } from '../support/temporary.ts';

type Decision = 'at once' | 'approval' | 'refused';

/** A change, alone and among many. What agents and steps of workflows come to is in features/doors.test.ts. */
interface Change {
  operation: string;
  /** Brings the account about, before the bot reads it. */
  prepare?: (account: ReturnType<typeof inTheAccount>, testBed: TestBed) => void;
  command: string;
  /** The values of the form that the command opens. */
  form?: Record<string, string>;
  /** Many changes of which this one is the only one that changes something: a command with a preview, or a file to import. */
  batch?: { command: string } | { file: string; updates: boolean };
}

type Way = 'command' | 'batch';

/** What came of a change. After an approval, `by` is who approved it, and left out. */
interface Made {
  decision: Decision;
  /** The changing requests, with the parameters in the order of their names. */
  changes: string[];
  /** The entries on the record about what was done, but for time, correlation ID, request, batch and way. */
  entries: object[];
  through: string[];
}

const reason = 'Needed for the audit';

/** Makes the change as the person, and approves it where it waits for that. Each time is with an account of its own. */
async function makeChange(change: Change, personId: string, way: Way): Promise<Made> {
  const dataDir = temporaryDirectory();
  // The message about the progress of a batch changes every two seconds.
  const testBed = await startTestBed({
    ...fastTime(3),
    // The oddities of records are the matter of other tests.
    account: 'smooth',
    env: {
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
      if (textOf(preview).includes('Request approval…')) {
        const form = await (await person.click(locationOf(preview), actionIdOf(preview, 'Request approval…'))).view();
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

const { ada, erin, gus, nora, rosa, uma, zoe } = people;
const quiz = 'Data protection refresher';
const crew = Array.from({ length: 20 }, (_, at) => `u-crew-${at}`);

/** 20 people of a group for whom a change of many changes nothing, so that it needs no more requests than a single one. */
function addIdleCrew({ quizService }: TestBed): void {
  addCrew(quizService, crew.length);
  quizService.database.run(
    "INSERT INTO user_groups (user_id, group_id) SELECT user_id, group_id FROM users CROSS JOIN groups WHERE user_id LIKE 'u-crew-%' AND group_name = 'Warehouse'",
  );
}

/** @param whose as in SQL, after LIKE */
function giveQuiz({ quizService }: TestBed, whose: string): void {
  quizService.database.run(
    "INSERT INTO user_quizzes (user_id, quiz_id, date_assigned) SELECT user_id, quiz_id, '2026-01-01 00:00:00' FROM users CROSS JOIN quizzes WHERE user_name LIKE ? AND name = ?",
    [whose, quiz],
  );
}

/** By the table of docs/permissions-and-approvals.md: administrators with the right, trainers with it, trainers without it. */
type Decisions = readonly [administrator: Decision, holder: Decision, other: Decision];
const [atOnce, approval, refused] = ['at once', 'approval', 'refused'] as const;
const everyOther: Decisions = [atOnce, atOnce, approval];

interface Row extends Change {
  /** The trainer with the right. */
  holder: string;
  /** The trainer without it, who can name what the change is about; by default one without any right. */
  other?: string;
  decisions: Decisions;
  /** Where the way has a rule of its own. */
  inBatch?: Decisions;
}

const ofQuizzes = { holder: erin.id, decisions: everyOther };

const rows: Row[] = [
  {
    operation: 'copy-quiz',
    ...ofQuizzes,
    command: '/quiz copy forklift as Forklift 2027',
  },
  {
    operation: 'assign-quiz',
    ...ofQuizzes,
    other: uma.id,
    prepare({ forgetAttempts }, testBed) {
      forgetAttempts();
      addIdleCrew(testBed);
      giveQuiz(testBed, 'crew.%');
    },
    command: `/quiz assign "${quiz}" to Rosa Almeida`,
    batch: { command: `/quiz assign "${quiz}" to ${crew.join(', ')}, Rosa Almeida` },
  },
  {
    operation: 'unassign-quiz',
    ...ofQuizzes,
    other: uma.id,
    prepare({ forgetAttempts }, testBed) {
      forgetAttempts();
      addIdleCrew(testBed);
      giveQuiz(testBed, 'rosa@%');
    },
    command: `/quiz unassign "${quiz}" from Rosa Almeida`,
    batch: { command: `/quiz unassign "${quiz}" from ${crew.join(', ')}, Rosa Almeida` },
  },
  {
    operation: 'create-user',
    holder: uma.id,
    decisions: everyOther,
    // The preview of an import shows users, and only people who manage users see them.
    inBatch: [atOnce, atOnce, refused],
    command: '/quiz-user create zoe@quiz.example Zoe Marsh',
    batch: { file: `User name,First name,Last name,Type\n${zoe.email},Zoe,Marsh,Respondent\n`, updates: false },
  },
  {
    operation: 'update-user',
    holder: uma.id,
    decisions: [atOnce, approval, refused],
    command: '/quiz-user update rosa almeida',
    form: { last_name: 'Almeida Reis' },
    batch: { file: `User name,First name,Last name\n${rosa.email},Rosa,Almeida Reis\n`, updates: true },
  },
  {
    operation: 'suspend-user',
    holder: uma.id,
    decisions: [atOnce, approval, refused],
    // Suspending everyone in a group always needs approval.
    inBatch: [approval, approval, refused],
    prepare: (_, { quizService: { database } }) =>
      database.run(
        "UPDATE users SET suspended = 1 WHERE user_name <> 'rosa@quiz.example' AND user_id IN (SELECT user_id FROM user_groups JOIN groups USING (group_id) WHERE group_name = 'Kitchen')",
      ),
    command: '/quiz-user suspend rosa almeida',
    batch: { command: '/quiz-user suspend-group kitchen' },
  },
  {
    operation: 'reinstate-user',
    holder: uma.id,
    decisions: [atOnce, atOnce, refused],
    prepare({ change }) {
      change('rosa', 'suspended = 1');
      change('quynh', 'suspended = 0');
    },
    command: '/quiz-user reinstate rosa almeida',
    batch: { command: '/quiz-user reinstate-group kitchen' },
  },
  {
    operation: 'add-to-group',
    holder: gus.id,
    decisions: [atOnce, atOnce, refused],
    prepare: (_, testBed) => addIdleCrew(testBed),
    command: '/quiz-group add Rosa Almeida to warehouse',
    batch: { command: `/quiz-group add ${crew.join(', ')}, Rosa Almeida to warehouse` },
  },
  {
    operation: 'remove-from-group',
    holder: gus.id,
    decisions: [atOnce, atOnce, refused],
    prepare: (_, testBed) => addIdleCrew(testBed),
    command: '/quiz-group remove Rosa Almeida from kitchen',
    batch: { command: `/quiz-group remove ${crew.join(', ')}, Rosa Almeida from kitchen` },
  },
  {
    operation: 'assign-to-group',
    ...ofQuizzes,
    other: gus.id,
    command: '/quiz-group assign data protection to night shift',
  },
];

/** Each once: the single command is what a batch and an approval are compared with. */
const made = new Map<string, Promise<Made>>();
function makeOnce(row: Row, personId: string, way: Way): Promise<Made> {
  const key = `${row.operation} ${personId} ${way}`;
  const known = made.get(key) ?? makeChange(row, personId, way);
  made.set(key, known);
  return known;
}

describe.each(rows)('$operation', (row) => {
  const persons = [
    ['an administrator', ada.id, 0],
    ['a trainer with the right', row.holder, 1],
    ['a trainer without the right', row.other ?? nora.id, 2],
  ] as const;

  describe.each(persons)('for %s', (_, personId, at) => {
    const decision = row.decisions[at];
    const inBatch = (row.inBatch ?? row.decisions)[at];

    test(`by command is ${decision}, and on the record`, async () => {
      const byCommand = await makeOnce(row, personId, 'command');
      expect(byCommand.decision).toBe(decision);
      expect(byCommand.entries).toHaveLength(decision === 'refused' ? 0 : 1);
    });

    test.each(row.batch ? [inBatch] : [])('in a batch is %s, with the same requests and the same entry', async () => {
      const { decision: decisionInBatch, changes, entries, through } = await makeOnce(row, personId, 'batch');
      const byCommand = await makeOnce(row, personId, 'command');
      const isMade = inBatch !== refused;
      expect(decisionInBatch).toBe(inBatch);
      expect(changes).toEqual(isMade ? byCommand.changes : []);
      expect(entries.map(withoutPerson)).toEqual(isMade ? byCommand.entries.map(withoutPerson) : []);
      expect(through).toEqual(isMade ? ['batch'] : []);
    });
  });

  const isBoth = row.decisions.includes(approval) && row.decisions.includes(atOnce);
  test.each(isBoth ? [row.operation] : [])('by approval, %s makes the same requests and entry as at once', async () => {
    const byThoseWho = (wanted: Decision) =>
      makeOnce(row, persons.find(([, , at]) => row.decisions[at] === wanted)?.[1] ?? '', 'command');
    const [approved, unasked] = [await byThoseWho(approval), await byThoseWho(atOnce)];
    expect(approved.changes).toEqual(unasked.changes);
    expect(approved.entries.map(withoutPerson)).toEqual(unasked.entries.map(withoutPerson));
    expect([approved.through, unasked.through]).toEqual([['approval'], [expect.stringMatching(/command|form|choice/)]]);
  });
});

const withoutPerson = (entry: object): object => ({ ...entry, by: undefined });
