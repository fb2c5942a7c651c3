import { setTimeout as pause } from 'node:timers/promises';
import { formatDate } from '../quiz-service/database.ts';
import { createSeededRandom, type SeededRandom } from '../quiz-service/sample/seeded-random.ts';
import type { QuizService } from '../quiz-service/service.ts';
import type { SandboxClock } from '../clock/sandbox-clock.ts';
import { actionIdOf, elementsOf } from '../workspace/interactive-elements.ts';
import type { Message, Person } from '../workspace/model.ts';
import type { Outcome } from '../workspace/actor/outcome.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { Account } from '../quiz-service/account.ts';
import { guess } from '../quiz-service/sample/attempts.ts';
import { misconceptionAmong } from '../quiz-service/sample/quizzes.ts';
import { listQuestions } from '../quiz-service/store/questions.ts';
import { registerUser, startAttempt, submitAttempt } from '../quiz-service/taking/attempts.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

interface Campaign {
  quiz: string;
  groups: readonly string[];
}

const campaigns = {
  safety: { quiz: 'Workplace safety basics', groups: ['Kitchen', 'Warehouse', 'Front desk', 'Night shift'] },
  hygiene: { quiz: 'Food hygiene, level 2', groups: ['Kitchen'] },
} as const;

const usualSkill = 0.97;
/** How much of their skill people have left where many believe in a wrong answer. */
const doubt = 0.45;

/** How many take a quiz when: the hour counts from Monday, 9:00. One who doesn’t pass is the last of theirs. */
const attempts: readonly { atHour: number; campaign: keyof typeof campaigns; people: number; hasFailure?: true }[] = [
  { atHour: 2, campaign: 'safety', people: 4, hasFailure: true },
  { atHour: 6, campaign: 'hygiene', people: 1 },
  { atHour: 25, campaign: 'safety', people: 4, hasFailure: true },
  { atHour: 27, campaign: 'hygiene', people: 1 },
  { atHour: 49, campaign: 'safety', people: 3, hasFailure: true },
  { atHour: 54, campaign: 'safety', people: 1 },
  { atHour: 72, campaign: 'safety', people: 1 },
];

/**
 * When the week of the sandbox begins: Monday, 8:50 UTC, so that three days later is a Thursday of the last seven days.
 * @param nowMs milliseconds since 1970
 */
export function openingStart(nowMs: number): number {
  const [thursday, weekDays] = [4, 7];
  const today = new Date(nowMs);
  const sinceThursday = (today.getUTCDay() - thursday + weekDays) % weekDays;
  return today.setUTCHours(8, 50, 0, 0) - (sinceThursday + 3) * dayMs;
}

/**
 * Plays three days of two campaigns: trainers type, people take quizzes, and the clock skips what is in between. What the
 * bot makes of it is its own.
 */
export async function playOpening({
  workspace,
  quizService,
  clock,
}: {
  workspace: Workspace;
  quizService: QuizService;
  clock: SandboxClock;
}): Promise<void> {
  const { people, channels } = workspace;
  const random = createSeededRandom(20_260_402);
  const mondayMs = clock.now() + 10 * minuteMs;
  const skipTo = async (ms: number): Promise<void> => {
    if (ms > clock.now()) await clock.skip(ms - clock.now());
  };
  await skipTo(mondayMs);
  const start = (channel: string, { quiz, groups }: Campaign, more: string): Promise<void> =>
    startCampaign(workspace, channel, `"${quiz}" for ${groups.join(', ')} ${more} board here`);
  const note = 'say "Please take it before the audit"';
  await start(channels.training.id, campaigns.safety, `due friday 17:00 remind 1d escalate 1d ${note}`);
  await start(channels.kitchen.id, campaigns.hygiene, 'due wednesday 17:00 remind 1d overdue 1d escalate 1d');
  for (const { atHour, campaign, people: count, hasFailure } of attempts) {
    await skipTo(mondayMs + atHour * hourMs);
    const quizId = idOf(quizService, campaigns[campaign].quiz);
    const takers = missingFrom(workspace, quizService, campaigns[campaign]).slice(0, count);
    const begun = takers.map((userId) => beginQuiz(quizService.account, { userId, quizId }, random));
    await clock.skip(random.between(2, 5) * minuteMs);
    for (const [index, submit] of begun.entries()) submit(hasFailure && index === count - 1 ? 0 : usualSkill);
  }
  await skipTo(mondayMs + 3 * dayMs + 30 * minuteMs);
  const uma = workspace.as(people.uma.id);
  await untilTaken(() => uma.command('/quiz-user suspend rosa --reason "She has left"'));
  await workspace.until(() => workspace.messages(channels.leads.id).some(({ text }) => text.includes('Rosa')));
  workspace.startTour();
}

/** Starts a campaign as Tom, by typing and pressing Start. */
async function startCampaign(workspace: Workspace, channel: string, line: string): Promise<void> {
  const tom = workspace.as(workspace.people.tom.id);
  const typed = await untilTaken(() => tom.command(`/quiz-campaign start ${line}`, { channel }));
  const preview = await typed.reply();
  const start = actionOf(preview, 'choose:run-campaign');
  if (start === undefined) throw new Error(`“${line}” didn’t lead to a preview: ${preview.text}`);
  await untilTaken(() => tom.click(preview, start));
  await workspace.until(() => workspace.messages(channel).some((message) => actionOf(message, 'remind') !== undefined));
}

/** Does it again while the bot does not take it, as on a busy machine. What came too late for its three seconds is taken. */
export async function untilTaken(act: () => Promise<Outcome>, pauseMs = 500): Promise<Outcome> {
  for (;;) {
    const outcome = await act();
    if (outcome.error !== 'dispatch_failed') return outcome;
    await pause(pauseMs);
  }
}

/** The action ID of a button. @param part of the ID */
function actionOf({ blocks = [] }: Message, part: string): string | undefined {
  return blocks
    .flatMap(elementsOf)
    .map(actionIdOf)
    .find((id) => id.includes(part));
}

function idOf({ database }: QuizService, name: string): string {
  const found = database.get<{ quiz_id: string }>('SELECT quiz_id FROM quizzes WHERE name = ?', [name]);
  if (found === undefined) throw new Error(`The sample account has no ${name}.`);
  return found.quiz_id;
}

/**
 * The users of a campaign who have neither passed its quiz nor taken it today or yesterday. Those whom the bot can remind
 * come last.
 */
function missingFrom({ people }: Workspace, quizService: QuizService, { quiz, groups }: Campaign): string[] {
  const { database, account } = quizService;
  const inSlack = new Set(Object.values<Person>(people).map(({ email }) => email));
  return database
    .all<{ user_id: string; email_address: string; organization: string }>(
      `SELECT user_id, email_address, organization FROM users
       WHERE NOT suspended AND user_type = 'respondent' AND user_id NOT IN
         (SELECT user_id FROM responses WHERE quiz_id = ? AND user_id IS NOT NULL AND (pass OR date_submitted > ?))
       ORDER BY first_name`,
      [idOf(quizService, quiz), formatDate(account.now() - 2 * dayMs)],
    )
    .filter(({ organization }) => groups.includes(organization))
    .toSorted((a, b) => Number(inSlack.has(a.email_address)) - Number(inSlack.has(b.email_address)))
    .map(({ user_id }) => user_id);
}

/**
 * Opens a quiz as a user, as its page does, and starts the clock.
 * @returns submits the answers, given the probability of a right one, 0 to 1
 */
function beginQuiz(
  account: Account,
  { userId, quizId }: { userId: string; quizId: string },
  random: SeededRandom,
): (skill: number) => void {
  const responseId = registerUser(account, quizId, userId, `198.51.100.${random.between(1, 254)}`);
  startAttempt(account, responseId);
  return (skill) => {
    const answers = listQuestions(account.database, quizId).map(
      (question) =>
        [
          question.question_id,
          guess(question, misconceptionAmong(question.options) === undefined ? skill : doubt * skill, random),
        ] as const,
    );
    submitAttempt(account, responseId, { answers: new Map(answers), files: [] });
  };
}
