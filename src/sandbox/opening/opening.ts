import { createSeededRandom } from '../quiz-service/sample/seeded-random.ts';
import type { QuizService } from '../quiz-service/service.ts';
import type { SandboxClock } from '../clock/sandbox-clock.ts';
import { actionIdOf, elementsOf } from '../workspace/interactive-elements.ts';
import type { Message } from '../workspace/model.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { beginQuiz } from './take-quiz.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

const campaigns = {
  refresher: 'Data protection refresher',
  hygiene: 'Food hygiene, level 2',
} as const;

/** Who takes which quiz when: the hour counts from Monday, 9:00. */
const attempts: readonly { atHour: number; quiz: keyof typeof campaigns; passed: string[]; failed?: string[] }[] = [
  { atHour: 2, quiz: 'refresher', passed: ['Hana', 'Noah', 'Elif', 'Ivan'] },
  { atHour: 6, quiz: 'hygiene', passed: ['Chiara'] },
  { atHour: 25, quiz: 'refresher', passed: ['Jamal', 'Fatima', 'Gabriel'], failed: ['Daniel'] },
  { atHour: 27, quiz: 'hygiene', passed: ['Oksana'] },
  { atHour: 49, quiz: 'refresher', passed: ['Pedro', 'Chioma'] },
  { atHour: 54, quiz: 'refresher', passed: ['Chiara', 'Oksana'] },
  { atHour: 72, quiz: 'refresher', passed: ['Teresa', 'Liam'] },
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
  await startCampaign(
    workspace,
    channels.training.id,
    `"${campaigns.refresher}" for Kitchen, Warehouse, Front desk, Night shift due friday 17:00 remind 1d escalate 1d board here say "Please take it before the audit"`,
  );
  await startCampaign(
    workspace,
    channels.kitchen.id,
    `"${campaigns.hygiene}" for Kitchen due wednesday 17:00 remind 1d overdue 1d escalate 1d board here`,
  );
  for (const { atHour, quiz, passed, failed = [] } of attempts) {
    await skipTo(mondayMs + atHour * hourMs);
    const quizId = idOf(quizService, 'SELECT quiz_id AS id FROM quizzes WHERE name = ?', campaigns[quiz]);
    const begun = [...passed, ...failed].map((name) => {
      const userId = idOf(quizService, 'SELECT user_id AS id FROM users WHERE first_name LIKE ?', `${name}%`);
      return { name, submit: beginQuiz(quizService.account, { userId, quizId }, random) };
    });
    await clock.skip(random.between(2, 5) * minuteMs);
    for (const { name, submit } of begun) submit(passed.includes(name) ? 0.9 : 0);
  }
  await skipTo(mondayMs + 3 * dayMs + 30 * minuteMs);
  await workspace.as(people.uma.id).command('/quiz-user suspend rosa --reason "She has left"');
  await workspace.until(() => workspace.messages(channels.leads.id).some(({ text }) => text.includes('Rosa')));
  workspace.startTour();
}

/** Starts a campaign as Tom, by typing and pressing Start. */
async function startCampaign(workspace: Workspace, channel: string, line: string): Promise<void> {
  const tom = workspace.as(workspace.people.tom.id);
  const typed = await tom.command(`/quiz-campaign start ${line}`, { channel });
  const preview = await typed.reply();
  const start = actionOf(preview, 'choose:start');
  if (start === undefined) throw new Error(`“${line}” didn’t lead to a preview: ${preview.text}`);
  await tom.click(preview, start);
  await workspace.until(() => workspace.messages(channel).some((message) => actionOf(message, 'remind') !== undefined));
}

/** The action ID of a button. @param part of the ID */
function actionOf({ blocks = [] }: Message, part: string): string | undefined {
  return blocks
    .flatMap(elementsOf)
    .map(actionIdOf)
    .find((id) => id.includes(part));
}

function idOf({ database }: QuizService, sql: string, name: string): string {
  const found = database.get<{ id: string }>(sql, [name]);
  if (found === undefined) throw new Error(`The sample account has no ${name}.`);
  return found.id;
}
