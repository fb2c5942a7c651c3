import { textOfSent } from '../../csv-of.ts';
import type { Message } from '../../../../src/sandbox/workspace/model.ts';
import { people } from '../../../../src/sandbox/workspace/people.ts';
import type { Workspace } from '../../../../src/sandbox/workspace/workspace.ts';
import { textOf } from '../../open-test-bed.ts';
import { openProcessTestBed, type BotSurroundings } from '../../process-test-bed.ts';
import { startLossyProxy } from '../../proxy.ts';
import type { Load, MakeKillTest } from '../run-kills.ts';
import { untilDone } from '../../watchdog.ts';

/** Answers and requests that are lost. */
const lostShare = 0.08;
const betweenKillsMs = { min: 300, max: 2_500 };
const { ada } = people;
const [groupName, quizName] = ['Kitchen', 'Workplace safety basics'];

interface NewPerson {
  email: string;
  hasGroup: boolean;
  hasQuiz: boolean;
  /** Their ID in Slack; undefined for people who are not there. */
  personId: string | undefined;
}

/** A person imports a file while answers of the quiz service are lost: account, result file and messages are as the file says. */
export function importKilled({ rows: count }: { rows: number }): MakeKillTest {
  return (random) => {
    let proxy: Awaited<ReturnType<typeof startLossyProxy>> | undefined;
    const rows = newPeople(count);
    return {
      open: (shared) =>
        openProcessTestBed({
          ...shared,
          async serviceUrl(url) {
            proxy = await startLossyProxy(url, { share: lostShare, random: random.number });
            return proxy.url;
          },
        }),
      // Every second time with SIGTERM, as a new version is put into service.
      kills: { moments: { after: 'a pause', ms: betweenKillsMs }, ways: [{}, { signal: 'SIGTERM' }] },
      async begin(testBed) {
        await startImport(testBed, rows);
        return importLoad(testBed, rows, () => proxy?.lost() ?? 0);
      },
      close: () => proxy?.close(),
    };
  };
}

export function newPeople(count: number): NewPerson[] {
  return Array.from({ length: count }, (_, at) => ({
    email: `person-${at}@import.example`,
    hasGroup: at % 2 === 0,
    hasQuiz: at % 3 === 0,
    personId: at % 5 === 4 ? undefined : `U0IMPORT${at}`,
  }));
}

/** What a started import still has to do, and what came of it. */
export function importLoad(
  testBed: BotSurroundings,
  rows: readonly NewPerson[],
  lostAnswers: () => number = () => 0,
): Load {
  const { workspace } = testBed;
  const isFinished = () => textOf(progressOf(workspace)).includes('Finished');
  return {
    done: () => changesIn(testBed),
    isWaiting: () => !isFinished(),
    async over() {
      await untilDone(() => (isFinished() ? Infinity : changesIn(testBed)), Infinity);
      await untilDone(() => rows.filter((row) => hasItsMessages(workspace, row)).length, rows.length);
    },
    async judge() {
      const result = await resultOf(workspace);
      const { lost, doubled, misplaced } = compareAccount(testBed, rows);
      const without = (what: string, has: (row: NewPerson) => boolean) =>
        rows.filter((row) => !has(row)).map(({ email }) => `${email} ${what}`);
      return {
        lost,
        doubled,
        wrong: [
          ...misplaced.map((email) => `${email} has another group or quiz`),
          ...without('has other messages', (row) => hasItsMessages(workspace, row)),
          ...without('has no line in the result', (row) => hasItsLine(result, row)),
        ],
        figure: `${rows.length} rows, ${lostAnswers()} answers lost`,
      };
    },
  };
}

/** Adds the people to the workspace, uploads the file, and starts what the preview shows. */
export async function startImport(
  { workspace, quizService: { database } }: BotSurroundings,
  rows: readonly NewPerson[],
): Promise<void> {
  for (const { email, personId: id } of rows)
    if (id !== undefined)
      workspace.setPerson({
        id,
        name: id.toLowerCase(),
        realName: 'New Person',
        title: 'Trainee',
        email,
        timeZone: 'Etc/UTC',
      });
  // An account can have a mark behind each name.
  const called = (table: string, column: string, name: string) =>
    database.get<{ name: string }>(`SELECT ${column} AS name FROM ${table} WHERE ${column} LIKE ? || '%'`, [name])!
      .name;
  const [group, quiz] = [called('groups', 'group_name', groupName), called('quizzes', 'name', quizName)];
  const lines = rows.map(({ email, hasGroup, hasQuiz }) =>
    [email, 'New Person', hasGroup ? group : '', hasQuiz ? quiz : ''].join(','),
  );
  const form = await (await workspace.as(ada.id).command('/quiz-user import')).view();
  await workspace.as(ada.id).submit(form, {
    file: [{ name: 'people.csv', content: ['E-mail,Name,Groups,Quizzes', ...lines, ''].join('\r\n') }],
  });
  const shown = await workspace.until(() =>
    workspace.views(ada.id).find((view) => textOf(view).includes('Nothing has changed yet')),
  );
  await workspace.as(ada.id).click({ view: shown }, 'choose:run-batch');
  await workspace.until(() => progressOf(workspace));
}

const progressOf = (workspace: Workspace): Message | undefined =>
  workspace.directMessages(ada.id).find((message) => textOf(message).includes(' created'));

async function resultOf(workspace: Workspace): Promise<string> {
  const { channel = '', ts = '' } = progressOf(workspace) ?? {};
  await workspace.as(ada.id).click({ channel, ts }, 'ask:batch-result');
  const file = await workspace.until(() =>
    workspace
      .directMessages(ada.id)
      .flatMap(({ files = [] }) => files)
      .find(({ name }) => name === 'Result.xlsx'),
  );
  return textOfSent(file.url);
}

const importedUsers = "SELECT user_id, user_name FROM users WHERE user_name LIKE '%@import.example'";
type GrantTable = 'user_groups' | 'user_quizzes';

/** Users, memberships and assignments that the import has made. */
function changesIn({ quizService: { database } }: BotSurroundings): number {
  const users = database.all<{ user_id: string }>(importedUsers, []);
  const granted = (table: GrantTable) =>
    database.all(`SELECT 1 FROM ${table} WHERE user_id IN (SELECT user_id FROM (${importedUsers}))`, []).length;
  return users.length + granted('user_groups') + granted('user_quizzes');
}

function compareAccount(
  { quizService: { database } }: BotSurroundings,
  rows: readonly NewPerson[],
): Record<'lost' | 'doubled' | 'misplaced', string[]> {
  const users = database.all<{ user_id: string; user_name: string }>(importedUsers, []);
  const emails = rows.map(({ email }) => email);
  const of = Map.groupBy(users, ({ user_name }) => user_name);
  const count = (table: GrantTable, userId: string) =>
    database.all(`SELECT 1 FROM ${table} WHERE user_id = ?`, [userId]).length;
  const isMisplaced = ({ email, hasGroup, hasQuiz }: NewPerson) =>
    (of.get(email) ?? []).some(
      ({ user_id: id }) =>
        count('user_groups', id) !== Number(hasGroup) || count('user_quizzes', id) !== Number(hasQuiz),
    );
  return {
    lost: emails.filter((email) => !of.has(email)),
    doubled: [...of].flatMap(([email, same]) => Array<string>(same.length - 1).fill(email)),
    misplaced: rows.filter(isMisplaced).map(({ email }) => email),
  };
}

function hasItsMessages(workspace: Workspace, { personId, hasQuiz }: NewPerson): boolean {
  const texts = personId === undefined ? [] : workspace.directMessages(personId).map(textOf);
  const withPassword = texts.filter((text) => text.includes('created a user for you'));
  const ofQuiz = texts.filter((text) => text.includes(quizName));
  return (
    withPassword.length === Number(personId !== undefined) &&
    ofQuiz.length === Number(hasQuiz && personId !== undefined)
  );
}

/** With the user’s ID, so that the file can be given back. */
function hasItsLine(result: string, { email, personId }: NewPerson): boolean {
  const lines = result.split('\r\n').filter((line) => line.includes(`${email},`));
  const ending = personId === undefined ? ',"The bot couldn’t message them' : ',';
  const isCreated = (line: string) => {
    const [, rest] = /,created,[\w-]+(,.*)$/.exec(line) ?? [];
    return rest?.startsWith(ending) ?? false;
  };
  return lines.length === 1 && lines.every(isCreated);
}
