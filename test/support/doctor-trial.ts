import { onTestFinished } from 'vitest';
import { startQuizService, type QuizService } from '../../src/sandbox/quiz-service/service.ts';
import { people } from '../../src/sandbox/workspace/people.ts';
import { startWorkspace, type Workspace, type WorkspaceOptions } from '../../src/sandbox/workspace/workspace.ts';
import { accountQuizzes } from './account-quizzes.ts';
import { webhookSecret } from './event.ts';
import { administrator, plantCanaries } from './personal-canaries.ts';
import { startRecordingProxy } from './proxy.ts';

export const secrets = {
  SLACK_BOT_TOKEN: 'xoxb-of-the-trial',
  QUIZ_API_KEY: 'key-of-the-trial',
  WEBHOOK_SECRET: webhookSecret,
};
export const byMode = {
  socket: { SLACK_APP_TOKEN: 'xapp-of-the-trial' },
  http: { SLACK_SIGNING_SECRET: 'signing-secret-of-the-trial' },
};

export interface Trial {
  workspace: Workspace;
  quizService: QuizService;
  /** The requests to the quiz service. */
  requests: string[];
  env: Record<string, string>;
}

/** Opens a workspace and a quiz service without a bot. @param clean registers what closes them */
export async function openTrial(
  account: 'smooth' | 'rough',
  mode: 'socket' | 'http',
  clean: (close: () => Promise<void>) => void = onTestFinished,
  more: Partial<WorkspaceOptions> = {},
): Promise<Trial> {
  const workspace = await startWorkspace({
    manifestPath: 'manifest.yml',
    botToken: secrets.SLACK_BOT_TOKEN,
    signingSecret: byMode.http.SLACK_SIGNING_SECRET,
    ...(mode === 'socket' && { appToken: byMode.socket.SLACK_APP_TOKEN }),
    strictness: { rateLimits: false },
    ...more,
  });
  const quizService = await startQuizService({
    quizzes: accountQuizzes,
    dataDir: ':memory:',
    apiKey: secrets.QUIZ_API_KEY,
    rough: account === 'rough' || undefined,
  });
  plantCanaries({ quizService }, administrator);
  const proxy = await startRecordingProxy(quizService.url);
  clean(async () => {
    proxy.close();
    await workspace.close();
    await quizService.close();
  });
  const env = {
    ...secrets,
    ...byMode[mode],
    SLACK_API_URL: workspace.apiUrl,
    QUIZ_API_URL: proxy.url,
    QUIZ_TIME_ZONE: quizService.timeZone,
  };
  return { workspace, quizService, requests: proxy.requests, env };
}

/** Presses the button of the doctor as soon as it is there. */
export async function press({ workspace }: Trial): Promise<void> {
  const message = await workspace.until(
    () =>
      workspace
        .messages(workspace.channels.training.id)
        .find(({ blocks }) => JSON.stringify(blocks ?? []).includes('doctor-press')),
    30_000,
  );
  await workspace.as(people.ada.id).click(message, 'doctor-press');
}

/** Every message that somebody can see, except with Slackbot, where a bot deletes nothing. */
export const everything = ({ workspace }: Trial) =>
  JSON.stringify([
    ...Object.values(workspace.channels).map(({ id }) => workspace.messages(id)),
    ...Object.values(people).map(({ id }) => workspace.directMessages(id)),
  ]);

/** What names a person or a record in the account and the workspace. A quiz of the rough account is called by a number of four digits. */
export function privateTexts({ quizService: { database } }: Trial): string[] {
  const columns = {
    users: 'user_id, user_name, email_address, first_name, last_name',
    responses: 'response_id, user_id, email_address, first_name, last_name, ip_address',
    quizzes: 'quiz_id, name',
    groups: 'group_id, group_name',
  };
  const records = Object.entries(columns).flatMap(([table, names]) => database.all(`SELECT ${names} FROM ${table}`));
  const stored = records.flatMap((record) => Object.values(record as Record<string, unknown>)).filter(isText);
  const persons = Object.values(people).flatMap(({ id, name, realName, email }) => [id, name, realName, email]);
  return [...new Set([...stored, ...persons])].filter((text) => text.length > 2 && !/^\d{1,4}$/.test(text));
}

const isText = (value: unknown): value is string => typeof value === 'string';

/** Which of these texts are in the report, as words of their own. */
export function leakedInto(report: string, texts: readonly string[]): string[] {
  const isWord = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}]/u.test(character);
  return texts.filter((text) => {
    for (let at = report.indexOf(text); at >= 0; at = report.indexOf(text, at + 1))
      if (!isWord(report[at - 1]) && !isWord(report[at + text.length])) return true;
    return false;
  });
}
