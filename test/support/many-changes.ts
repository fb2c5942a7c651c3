import { hash } from 'node:crypto';
import { expect, onTestFinished } from 'vitest';
import { textOfSent } from './csv-of.ts';
import type { Message, View } from '../../src/sandbox/workspace/model.ts';
import type { EnteredValues } from '../../src/sandbox/workspace/actor/interactions.ts';
import { areAllFacesRun } from './drawn.ts';
import { redisMissing, startRedis } from './redis.ts';
import { actionIdOf, locationOf } from './results.ts';
import { type TestBed, textOf } from './test-bed.ts';
import type { QuizService } from '../../src/sandbox/quiz-service/service.ts';

/** The stores that this machine can run; without redis-server, one line of the run says what is left out. */
const stores = ['SQLite', ...(redisMissing === null ? ['Redis'] : [])];

/**
 * The stores over which stories run that ask no store for more than the other: with `FACES=all` each, otherwise the faster one. Both
 * pass `test/storage/cases`, and bots that die or work beside others run over Redis in every run.
 */
export const storyStores: readonly string[] = areAllFacesRun ? stores : stores.slice(0, 1);

/** The variables of a bot that keeps its state in the store. */
export async function environmentOf(store: string): Promise<Record<string, string>> {
  if (store === 'SQLite') return {};
  const redis = await startRedis();
  onTestFinished(() => redis.stop());
  return { REDIS_URL: redis.url };
}

/** The requests that change something in the account. A search by user name is a POST that changes nothing. */
export const changesIn = ({ requests }: Pick<TestBed, 'requests'>): string[] =>
  requests.filter((request) => !/^GET |^POST \S+\/users\/find /.test(request));

/** What people do in the quiz service itself, beside the bot. People are named by the first part of their address. */
export function inTheAccount({ quizService: { database } }: Pick<TestBed, 'quizService'>) {
  const quizIdSql = '(SELECT quiz_id FROM quizzes WHERE name = ?)';
  const userIdSql = '(SELECT user_id FROM users WHERE user_name = ?)';
  const address = (name: string) => `${name}@quiz.example`;
  let submissions = 0;
  function submit(
    name: string,
    quiz: string,
    {
      percentage,
      passes,
      at = Date.UTC(2026, 10, 1, 10),
    }: { percentage: number; passes: boolean; at?: number | undefined },
  ) {
    const date = new Date(at).toISOString().slice(0, 19).replace('T', ' ');
    // The rough account deals its oddities by the ID: a random one would leave out now and then whether this one passed.
    const responseId = hash('sha256', `${(submissions += 1)} ${name} ${quiz}`).slice(0, 32);
    database.run(
      `INSERT INTO responses (response_id, quiz_id, user_id, first_name, last_name, email_address, status, started_ms, date_submitted, points, available_points, percentage_score, grade, pass, attempt, ip_address, publish_type)
       SELECT ?, ${quizIdSql}, user_id, first_name, last_name, email_address, 'submitted', 1, ?, ?, 100, ?, ?, ?, 1, '127.0.0.1', 'assigned_user' FROM users WHERE user_name = ?`,
      [responseId, quiz, date, percentage, percentage, passes ? 'A' : 'F', Number(passes), address(name)],
    );
  }
  return {
    userId: (name: string) =>
      database.get<{ user_id: string }>('SELECT user_id FROM users WHERE user_name = ?', [address(name)])?.user_id ??
      `nobody called ${name}`,
    user: (userName: string) =>
      database.get<Record<string, unknown>>('SELECT * FROM users WHERE user_name = ?', [userName]),
    /** @param changes as in SQL: `manage_users = 0` */
    change: (name: string, changes: string) =>
      database.run(`UPDATE users SET ${changes} WHERE user_name = ?`, [address(name)]),
    remove: (name: string) => database.run('DELETE FROM users WHERE user_name = ?', [address(name)]),
    setStatus: (quiz: string, status: 'open' | 'closed') =>
      database.run('UPDATE quizzes SET status = ? WHERE name = ?', [status, quiz]),
    rename: (quiz: string, name: string) => database.run('UPDATE quizzes SET name = ? WHERE name = ?', [name, quiz]),
    removeQuiz: (quiz: string) => database.run('DELETE FROM quizzes WHERE name = ?', [quiz]),
    /** Makes a trainer train nothing but these quizzes and groups. */
    train(name: string, { quizzes = [], groups = [] }: { quizzes?: string[]; groups?: string[] }) {
      for (const table of ['trainer_quizzes', 'trainer_groups'])
        database.run(`DELETE FROM ${table} WHERE user_id = ${userIdSql}`, [address(name)]);
      for (const quiz of quizzes)
        database.run(`INSERT INTO trainer_quizzes (user_id, quiz_id) SELECT ${userIdSql}, ${quizIdSql}`, [
          address(name),
          quiz,
        ]);
      for (const group of groups)
        database.run(
          `INSERT INTO trainer_groups (user_id, group_id) SELECT ${userIdSql}, (SELECT group_id FROM groups WHERE group_name = ?)`,
          [address(name), group],
        );
    },
    /** Leaves nobody with a quiz, and no attempt. */
    forgetAttempts() {
      for (const table of ['responses', 'user_quizzes', 'group_quizzes']) database.run(`DELETE FROM ${table}`);
    },
    /** Somebody passes the quiz. @param at in milliseconds since the epoch */
    pass: (name: string, quiz: string, at?: number) => submit(name, quiz, { percentage: 90, passes: true, at }),
    fail: (name: string, quiz: string, percentage: number, at?: number) =>
      submit(name, quiz, { percentage, passes: false, at }),
    /** Deletes the attempts of somebody. */
    forget: (name: string, quiz: string) =>
      database.run(`DELETE FROM responses WHERE quiz_id = ${quizIdSql} AND user_id = ${userIdSql}`, [
        quiz,
        address(name),
      ]),
  };
}

/** What a person does with a preview, and with the message about the progress of what they started. */
export function manyChanges(testBed: Pick<TestBed, 'workspace'>, personId: string) {
  const { workspace } = testBed;
  const person = workspace.as(personId);
  const isProgress = (message: Message) => / of [\d,]+ (?:done|created|updated)/.test(JSON.stringify(message.blocks));

  /** Waits for the message about the progress with these words. */
  const progress = async (words: RegExp): Promise<Message> =>
    workspace.until(() =>
      workspace.directMessages(personId).find((message) => isProgress(message) && words.test(textOf(message))),
    );

  async function press(words: RegExp, label: string): Promise<void> {
    const message = await progress(words);
    await person.click(locationOf(message), actionIdOf(message, label));
  }

  const isPreview = (view: View) => /Nothing has changed yet/.test(textOf(view));

  return {
    progress,
    /** Uploads a file for an import. @returns the preview, in the modal of the form */
    async previewImport(content: string, entered: EnteredValues = {}): Promise<View> {
      const form = await (await person.command('/quiz-user import')).view();
      const { errors } = await person.submit(form, { file: [{ name: 'people.csv', content }], ...entered });
      expect(errors).toBeUndefined();
      return workspace.until(() => workspace.views(personId).findLast(isPreview));
    },
    startImport: (preview: View) => person.click({ view: preview }, 'choose:run-batch'),
    /** Asks for the approval of an import. */
    async requestImport(preview: View, reason: string): Promise<void> {
      const form = await (await person.click({ view: preview }, 'form:run-batch')).view();
      expect((await person.submit(form, { reason })).errors).toBeUndefined();
    },
    /** Starts what the answer to a command shows, and confirms what has changed since where the bot asks. @returns the last answer */
    async start(preview: Message): Promise<string> {
      const shown = textOf(preview);
      const answer = () =>
        workspace
          .ephemerals(personId)
          .filter(({ ts }) => ts >= preview.ts)
          .findLast((message) => textOf(message) !== shown && !textOf(message).includes('Asking the quiz service'));
      await person.click(locationOf(preview), actionIdOf(preview, 'Start'));
      const first = await workspace.until(answer);
      if (!textOf(first).includes('choose:confirmed')) return textOf(first);
      const asked = textOf(first);
      await person.click(locationOf(first), 'choose:confirmed');
      return workspace.until(() => {
        const now = textOf(answer());
        return now === asked ? undefined : now;
      });
    },
    /** Pauses while a change is on its way to the service, so that exactly the changes before the next one are made. */
    async pauseAt(held: ReturnType<TestBed['holdChange']>): Promise<void> {
      await held.arrived;
      await press(/⏳/, 'Pause');
      await workspace.until(() => workspace.ephemerals(personId).some((message) => textOf(message).includes('Paused')));
      held.release();
      await progress(/⏸️/);
    },
    resume: () => press(/⏸️|⚠️/, 'Resume'),
    /** Waits for the end. @returns what the message about the progress says, and the lines of the result file */
    async ended(): Promise<{ said: string; lines: string[] }> {
      const said = textOf(await progress(/Finished/));
      await press(/Finished/, 'Get result');
      const file = await workspace.until(() =>
        workspace
          .directMessages(personId)
          .flatMap(({ files = [] }) => files)
          .findLast(({ name }) => name === 'Result.xlsx'),
      );
      const text = await textOfSent(file.url);
      return { said, lines: text.split('\r\n').filter((line) => line !== '') };
    },
  };
}

/** The line about somebody. */
export function lineOf(lines: readonly string[], name: string): string {
  return lines.find((line) => line.includes(name)) ?? `no line about ${name}`;
}

/** Adds respondents without quizzes, `u-crew-0` and so on, to the account. @returns their addresses */
export function addCrew({ database }: Pick<QuizService, 'database'>, count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const email = `crew.${index}@quiz.example`;
    database.run(
      "INSERT INTO users (user_id, user_name, folded_user_name, user_type, email_address, first_name, last_name, date_created) VALUES (?, ?, ?, 'respondent', ?, 'Crew', ?, '2026-01-01 00:00:00')",
      [`u-crew-${index}`, email, email, email, String(index)],
    );
    return email;
  });
}

/** How many of them have a quiz directly, whose name begins so. */
export function crewWithQuiz({ database }: Pick<QuizService, 'database'>, quiz: string): number {
  return database.all(
    "SELECT 1 FROM user_quizzes JOIN quizzes USING (quiz_id) WHERE user_id LIKE 'u-crew-%' AND name LIKE ? || '%'",
    [quiz],
  ).length;
}
