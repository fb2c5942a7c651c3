import { setTimeout as pause } from 'node:timers/promises';
import { createSeededRandom, type SeededRandom } from '../../src/sandbox/quiz-service/sample/seeded-random.ts';
import type { Message } from '../../src/sandbox/workspace/model.ts';
import { people } from '../../src/sandbox/workspace/people.ts';
import type { Workspace } from '../../src/sandbox/workspace/workspace.ts';
import { openProcessTestBed, type ProcessTestBed } from './process-test-bed.ts';
import { startLossyProxy } from './proxy.ts';
import { textOf } from './open-test-bed.ts';

export interface BatchChaosOptions {
  store: 'sqlite' | 'redis';
  instances?: number;
  seed: number;
  rows: number;
  /** How often a bot is killed or stopped, and started again. */
  kills: number;
}

export interface BatchChaosOutcome {
  /** People who are in the account twice, and people who are not there. */
  twice: number;
  lost: number;
  /** People who lack their group or quiz, or have more than theirs. */
  wrong: number;
  /** People who did not get each of their messages once. */
  messages: number;
  /** Lines of the result file that say which user was created, and whether they got a password. */
  resultLines: number;
}

/** Answers and requests that are lost. */
const lostShare = 0.08;
const betweenKillsMs = { min: 300, max: 2_500 };
/** 500 rows take 16 minutes without kills. */
const timeoutMs = 45 * 60_000;
/** The message that waits longest is the one of the last row, after a kill. */
const messagesMs = 90_000;
const { ada } = people;
const [group, quiz] = ['Kitchen', 'Workplace safety basics'];

interface NewPerson {
  email: string;
  hasGroup: boolean;
  hasQuiz: boolean;
  /** Their ID in Slack; undefined for people who are not there. */
  personId: string | undefined;
}

function newPeople(count: number): NewPerson[] {
  return Array.from({ length: count }, (_, at) => ({
    email: `person-${at}@import.example`,
    hasGroup: at % 2 === 0,
    hasQuiz: at % 3 === 0,
    personId: at % 5 === 4 ? undefined : `U0IMPORT${at}`,
  }));
}

/**
 * Has a person import a file while bots are killed and answers of the quiz service are lost, and compares the account, the
 * result file and the messages with the file.
 */
export async function runBatchChaos({
  store,
  instances = 1,
  seed,
  rows: count,
  kills,
}: BatchChaosOptions): Promise<BatchChaosOutcome & { summary: string }> {
  const random = createSeededRandom(seed);
  const proxies: { lost: () => number; close(): void }[] = [];
  const testBed = await openProcessTestBed({
    store,
    instances,
    serviceUrl: async (url) => {
      const proxy = await startLossyProxy(url, { share: lostShare, random: random.number });
      proxies.push(proxy);
      return proxy.url;
    },
  });
  const { folder, workspace } = testBed;
  let isRight = false;
  try {
    const rows = newPeople(count);
    for (const { email, personId } of rows)
      if (personId)
        workspace.setPerson({
          id: personId,
          name: personId.toLowerCase(),
          realName: 'New Person',
          title: 'Trainee',
          email,
          timeZone: 'Etc/UTC',
        });
    await startImport(workspace, rows);
    const startedAt = performance.now();
    const killed = await killUntilFinished(testBed, { kills, random });
    const result = await resultOf(workspace);
    await messagesArrive(workspace, rows);
    const outcome = {
      ...compareAccount(testBed, rows),
      messages: rows.filter((row) => !hasItsMessages(workspace, row)).length,
      resultLines: rows.filter((row) => hasItsLine(result, row)).length,
    };
    isRight = outcome.twice + outcome.lost + outcome.wrong + outcome.messages === 0 && outcome.resultLines === count;
    const lost = proxies.reduce((sum, proxy) => sum + proxy.lost(), 0);
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    const { twice, lost: missing, wrong, messages, resultLines } = outcome;
    return {
      ...outcome,
      summary: `twice ${twice}, lost ${missing}, wrong group or quiz ${wrong}, wrong messages ${messages}, result lines ${resultLines} (${count} rows, ${killed} kills, ${lost} answers lost, ${seconds} s, seed ${seed}${isRight ? '' : `, ${folder}`})`,
    };
  } finally {
    for (const proxy of proxies) proxy.close();
    await testBed.close({ keepFolder: !isRight });
  }
}

/** Uploads the file, and starts what the preview shows. */
async function startImport(workspace: Workspace, rows: readonly NewPerson[]): Promise<void> {
  const lines = rows.map(({ email, hasGroup, hasQuiz }) =>
    [email, 'New Person', hasGroup ? group : '', hasQuiz ? quiz : ''].join(','),
  );
  const form = await (await workspace.as(ada.id).command('/quiz-user import')).view();
  await workspace.as(ada.id).submit(form, {
    file: [{ name: 'people.csv', content: ['E-mail,Name,Groups,Quizzes', ...lines, ''].join('\r\n') }],
  });
  const shown = await workspace.until(
    () => workspace.views(ada.id).find((view) => textOf(view).includes('Nothing has changed yet')),
    60_000,
  );
  await workspace.as(ada.id).click({ view: shown }, 'choose:start');
  await workspace.until(() => progressOf(workspace), 60_000);
}

const progressOf = (workspace: Workspace): Message | undefined =>
  workspace.directMessages(ada.id).find((message) => textOf(message).includes(' done'));

/** @returns how often a bot was killed or stopped */
async function killUntilFinished(
  { bots, workspace }: ProcessTestBed,
  { kills, random }: { kills: number; random: SeededRandom },
): Promise<number> {
  const until = performance.now() + timeoutMs;
  const isFinished = () => textOf(progressOf(workspace)).includes('Finished');
  let killed = 0;
  while (performance.now() < until && (!isFinished() || killed < kills)) {
    if (killed >= kills) {
      await pause(200);
      continue;
    }
    await pause(random.between(betweenKillsMs.min, betweenKillsMs.max));
    const bot = random.pick(bots);
    // Every second time with SIGTERM, as a new version is put into service.
    await (killed % 2 === 0 ? bot.kill() : bot.stop());
    killed += 1;
    await bot.start();
  }
  return killed;
}

async function resultOf(workspace: Workspace): Promise<string> {
  const { channel = '', ts = '' } = progressOf(workspace) ?? {};
  await workspace.as(ada.id).click({ channel, ts }, 'ask:result');
  const file = await workspace.until(
    () =>
      workspace
        .directMessages(ada.id)
        .flatMap(({ files = [] }) => files)
        .find(({ name }) => name === 'result.csv'),
    60_000,
  );
  return (await fetch(file.url)).text();
}

function compareAccount(
  { quizService: { database } }: ProcessTestBed,
  rows: readonly NewPerson[],
): Pick<BatchChaosOutcome, 'twice' | 'lost' | 'wrong'> {
  const users = database.all<{ user_id: string; user_name: string }>(
    "SELECT user_id, user_name FROM users WHERE user_name LIKE '%@import.example'",
    [],
  );
  const of = Map.groupBy(users, ({ user_name }) => user_name);
  const count = (table: 'user_groups' | 'user_quizzes', userId: string) =>
    database.all(`SELECT 1 FROM ${table} WHERE user_id = ?`, [userId]).length;
  const isWrong = ({ email, hasGroup, hasQuiz }: NewPerson) =>
    (of.get(email) ?? []).some(
      ({ user_id: id }) =>
        count('user_groups', id) !== Number(hasGroup) || count('user_quizzes', id) !== Number(hasQuiz),
    );
  return {
    twice: users.length - of.size,
    lost: rows.filter(({ email }) => !of.has(email)).length,
    wrong: rows.filter(isWrong).length,
  };
}

function hasItsMessages(workspace: Workspace, { personId, hasQuiz }: NewPerson): boolean {
  const texts = personId === undefined ? [] : workspace.directMessages(personId).map(textOf);
  const withPassword = texts.filter((text) => text.includes('created a user for you'));
  const ofQuiz = texts.filter((text) => text.includes(quiz));
  return (
    withPassword.length === Number(personId !== undefined) &&
    ofQuiz.length === Number(hasQuiz && personId !== undefined)
  );
}

async function messagesArrive(workspace: Workspace, rows: readonly NewPerson[]): Promise<void> {
  const until = performance.now() + messagesMs;
  while (performance.now() < until && !rows.every((row) => hasItsMessages(workspace, row))) await pause(500);
}

/** With the user’s ID, so that the file can be given back. */
function hasItsLine(result: string, { email, personId }: NewPerson): boolean {
  const lines = result.split('\r\n').filter((line) => line.includes(`${email},`));
  const ending = personId === undefined ? ',"The bot couldn’t message them' : ',';
  return (
    lines.length === 1 &&
    lines.every(
      (line) =>
        /,created,[\w-]+,/.test(line) &&
        line
          .slice(line.indexOf(',created,'))
          .replace(/^,created,[\w-]+/, '')
          .startsWith(ending),
    )
  );
}
