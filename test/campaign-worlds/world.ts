import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addQuestion } from '../../src/sandbox/quiz-service/store/questions.ts';
import { addQuiz } from '../../src/sandbox/quiz-service/store/quizzes.ts';
import { addUser, blankUser } from '../../src/sandbox/quiz-service/store/users.ts';
import type { Channel, Message } from '../../src/sandbox/workspace/model.ts';
import { botUserId, people as staff } from '../../src/sandbox/workspace/people.ts';
import type { Workspace } from '../../src/sandbox/workspace/workspace.ts';
import { openSurroundings } from '../support/open-test-bed.ts';
import {
  createJournal,
  userIdOf,
  personIdOf,
  quizIdOf,
  boardOf,
  quizToken,
  personToken,
  numbersOf,
} from './journal.ts';
import { createLeapingClock, type LeapingClock } from './leaping-clock.ts';
import type { PersonPlan, WorldPlan } from './plan.ts';
import { onRequest } from '../support/settle.ts';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { recordingLog } from '../support/log.ts';
import { createOpenBudget } from '../support/mock-service.ts';

/** A Monday. Summer time begins in America and Europe, and ends in New Zealand, within the next 60 days. */
export const beginMs = Date.UTC(2030, 1, 18);
export const hourMs = 3_600_000;
export const holidays = ['2030-03-13', '2030-04-19'];

export type World = Awaited<ReturnType<typeof openWorld>>;

/** The bot between a workspace and a quiz service, on a clock that leaps. */
export async function openWorld({ people, campaigns }: WorldPlan) {
  const clock = createLeapingClock(beginMs);
  const journal = createJournal();
  const dataDir = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'invigilator-world-'));
  const cleanups: (() => unknown)[] = [];
  const { workspace, quizService, env } = await openSurroundings(
    {
      workspace: {
        clock: clock.sandbox,
        strictness: { rateLimits: false },
        channels: campaigns.map((_, number): Channel => ({
          ...boardOf(number),
          kind: 'public',
          members: [staff.ada.id, botUserId],
        })),
      },
      quizService: {
        ratePerMinute: 1_000_000,
        ratePerHour: 10_000_000,
        sample: 'empty',
        now: clock.now,
        startTimer: (run, delayMs) => clock.sandbox.after(delayMs, run),
      },
    },
    (cleanUp) => cleanups.push(cleanUp),
  );
  const { database } = quizService;
  for (const [userId, { email, realName }] of [
    ['u-ada', staff.ada],
    ['u-erin', staff.erin],
  ] as const) {
    const [first_name = '', last_name = ''] = realName.split(' ');
    const names = {
      first_name,
      last_name,
      user_name: email,
      email_address: email,
      date_created: '2026-01-01 00:00:00',
    };
    const rights = { user_type: 'administrator', edit_quizzes: true, manage_users: true, manage_groups: true } as const;
    addUser(database, { ...blankUser, ...names, ...rights, user_id: userId }, null);
  }
  for (const [who, person] of people.entries()) {
    addPerson(who);
    workspace.setPerson(slackPerson(who, person));
  }
  for (const number of campaigns.keys()) {
    const quiz = { quiz_id: quizIdOf(number), name: `${quizToken(number)} Alpha`, status: 'open' } as const;
    addQuiz(database, { ...quiz, date_created: '2026-01-01 00:00:00' });
    addQuestion(database, quizIdOf(number), {
      question_id: `q-${number}`,
      type: 'free_text',
      version: 1,
      text: 'What is it?',
      use_option_points: false,
      has_partial_credit: false,
      points_available: 100,
      options: [],
      categories: [],
    });
  }
  const state = { isCommanded: false };
  const endListening = onRequest(({ method, path }) => {
    const [, quizId, attempt] = /^\/api\/v1\/quizzes\/([^/?]+)\/responses(?:\/([^/?]+))?(?:\?|$)/.exec(path) ?? [];
    const campaign = campaigns.findIndex((_, number) => quizIdOf(number) === quizId);
    if (method !== 'GET' || campaign === -1) return;
    const at = clock.now();
    if (attempt === undefined) journal.note({ kind: 'read', campaign, forCommand: state.isCommanded, at });
    // Looked up for a webhook that is a hint.
    else if (journal.all.some((fact) => fact.kind === 'submitted' && fact.attempt === attempt))
      journal.note({ kind: 'heard', campaign, attempt, at });
  });
  const bot = await startWorldBot(workspace, clock, { ...env, DATA_DIR: dataDir });
  await clock.until(beginMs + 60_000);
  const seen = new Set<string>();

  /** Notes the messages that came since the last time. */
  function collect(): void {
    for (const who of people.keys())
      for (const message of workspace.directMessages(personIdOf(who))) {
        if (seen.has(message.ts) || message.user === personIdOf(who)) continue;
        seen.add(message.ts);
        const all = JSON.stringify(message.blocks ?? '');
        if (!all.includes('row:not-me')) continue;
        const text = `${message.text} ${all}`;
        journal.note({
          kind: 'message',
          who,
          campaigns: numbersOf('Drill', text),
          text,
          at: Math.floor(Number(message.ts) * 1_000),
        });
      }
    const ofCampaigns = [
      ...workspace.directMessages(staff.ada.id),
      ...campaigns.flatMap((_, number) => workspace.messages(boardOf(number).id)),
    ];
    for (const message of ofCampaigns) {
      // A board becomes one that is over in place.
      if (seen.has(message.ts) || message.editedTs !== undefined || !message.text.startsWith('🏁')) continue;
      seen.add(message.ts);
      const [campaign] = numbersOf('Drill', textOf(message));
      if (campaign !== undefined) journal.note({ kind: 'over', campaign, at: Math.floor(Number(message.ts) * 1_000) });
    }
  }

  function addPerson(who: number): void {
    const email = `person${who}@quiz.example`;
    const user = {
      user_id: userIdOf(who),
      user_name: email,
      email_address: email,
      date_created: '2026-01-01 00:00:00',
    };
    addUser(database, { ...blankUser, ...user, first_name: 'Given', last_name: personToken(who) }, null);
  }

  return {
    clock,
    journal,
    workspace,
    database,
    bot,
    ada: workspace.as(staff.ada.id),
    collect,
    /** What the bot reads meanwhile, it may read for a command. */
    async commanded<Answer>(work: () => Promise<Answer>): Promise<Answer> {
      state.isCommanded = true;
      return work().finally(() => (state.isCommanded = false));
    },
    async close() {
      endListening();
      await bot.kill();
      for (const cleanUp of cleanups) await cleanUp();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** As they are in Slack while they are there. */
export function slackPerson(who: number, { timeZone, isDisturbedLate }: PersonPlan) {
  return {
    ...staff.rosa,
    id: personIdOf(who),
    name: `p${String(who).padStart(3, '0')}`,
    realName: personToken(who),
    title: 'Member',
    email: `person${who}@quiz.example`,
    timeZone,
    ...(isDisturbedLate && { doNotDisturb: { from: '16:00', to: '11:00' } }),
  };
}

export const textOf = ({ text, blocks }: Pick<Message, 'text' | 'blocks'>) => `${text} ${JSON.stringify(blocks ?? '')}`;

/** The bot of a world, one life after the other over the same store. */
interface WorldBot {
  url: () => string;
  /** Ends it while it works: what it had begun is not finished. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Warnings and errors in its log. */
  complaints: () => string[];
}

async function startWorldBot(
  workspace: Workspace,
  clock: LeapingClock,
  { ALERTS_CHANNEL: _, ...env }: Record<string, string>,
): Promise<WorldBot> {
  const { log, lines } = recordingLog();
  const config = readConfig({
    ...env,
    WEBHOOK_SCHEME: 'body,timestamp-secret',
    HOLIDAYS: holidays.join(','),
    HOST: '127.0.0.1',
    PORT: '0',
  });
  let life: { url: string; end(): Promise<void> } | undefined;

  async function start(): Promise<void> {
    const own = clock.forBot();
    const app = await createApp({
      config,
      log,
      clock: own.clock,
      // The requests of a world are few, but those of all its campaigns come in the same minutes.
      budget: createOpenBudget(),
      timeouts: { stop: 1, leave: 1 },
    });
    const url = `http://127.0.0.1:${await clock.during(app.start())}`;
    workspace.setBot(`${url}/slack/events`);
    life = {
      url,
      async end() {
        workspace.setBot(undefined);
        await clock.during(app.stop());
        own.end();
      },
    };
  }

  await start();
  return {
    url: () => life?.url ?? '',
    async kill() {
      await life?.end();
      life = undefined;
    },
    start,
    complaints: () => lines.filter((line) => /"level":"(?:warn|error|fatal)"/.test(line)),
  };
}
