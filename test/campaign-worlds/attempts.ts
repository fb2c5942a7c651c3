import { signatureHeaders, type SignatureScheme } from '../../src/sandbox/quiz-service/webhooks/webhooks.ts';
import { eventBody, webhookSecret } from '../support/event.ts';
import { personToken, quizIdOf, quizToken, userIdOf } from './journal.ts';
import type { World } from './world.ts';

/** A submitted attempt. */
interface Attempt {
  attempt: string;
  campaign: number;
  who: number;
  passed: boolean;
  /** By the link of the quiz, without signing in: the person has typed their address. */
  isByLink: boolean;
  at: number;
}

const shownAfterMs = 2_000;
/** The bot looks after 2 seconds, and after 10 more. */
const lookedUpWithinMs = 12_000;

const dateOf = (at: number) => new Date(at).toISOString().replace('T', ' ').slice(0, 19);
const pointsOf = ({ passed }: Attempt) => (passed ? 90 : 20);
const respondentOf = ({ who, isByLink }: Attempt) =>
  isByLink
    ? { user_id: null, email_address: ` PERSON${who}@Quiz.Example`, publish_type: 'quiz_link' }
    : { user_id: userIdOf(who), email_address: '', publish_type: 'assigned_user' };

/** The service takes an attempt. */
export function submit(world: World, one: Attempt): void {
  add(world, one, 'submitted');
  note(world, one);
}

/** The bot gets the webhook of an attempt that the service has. */
export async function hear(world: World, one: Attempt): Promise<void> {
  const { campaign, attempt } = one;
  if (await tell(world, one, 'body')) world.journal.note({ kind: 'heard', campaign, attempt, at: world.clock.now() });
}

/** The bot gets a webhook that it has to look up, before the service shows the attempt. @returns what went wrong */
export async function hint(world: World, one: Attempt): Promise<string | undefined> {
  const { database, clock, journal } = world;
  const { attempt, at } = one;
  add(world, one, 'not_submitted');
  await tell(world, one, 'timestamp-secret');
  await clock.until(clock.now() + shownAfterMs);
  const shown = "UPDATE responses SET status = 'submitted', date_submitted = ? WHERE response_id = ?";
  database.run(shown, [dateOf(at), attempt]);
  note(world, one);
  await clock.until(clock.now() + lookedUpWithinMs);
  const isHeard = journal.all.some((fact) => fact.kind === 'heard' && fact.attempt === attempt);
  return isHeard ? undefined : `the bot does not look up ${attempt} in time`;
}

function add({ database }: World, one: Attempt, status: 'submitted' | 'not_submitted'): void {
  const { attempt, campaign, who, passed, at } = one;
  const { user_id, email_address, publish_type } = respondentOf(one);
  const points = pointsOf(one);
  database.run(
    `INSERT INTO responses (response_id, quiz_id, user_id, first_name, last_name, email_address, status, started_ms, date_submitted, points, available_points, percentage_score, grade, pass, duration, attempt, ip_address, publish_type)
     VALUES (?, ?, ?, 'Given', ?, ?, ?, 1, ?, ?, 100, ?, ?, ?, 60, 1, '127.0.0.1', ?)`,
    [
      attempt,
      quizIdOf(campaign),
      user_id,
      personToken(who),
      email_address,
      status,
      status === 'submitted' ? dateOf(at) : null,
      points,
      points,
      passed ? 'A' : 'F',
      Number(passed),
      publish_type,
    ],
  );
}

function note({ journal, clock }: World, { attempt, campaign, who, passed, at }: Attempt): void {
  const submittedAt = Math.floor(at / 1_000) * 1_000;
  journal.note({ kind: 'submitted', campaign, who, attempt, passed, submittedAt, at: clock.now() });
}

/** @returns whether the bot takes the webhook */
async function tell({ bot, clock }: World, one: Attempt, scheme: SignatureScheme): Promise<boolean> {
  const { attempt, campaign, passed, at } = one;
  const points = pointsOf(one);
  const body = eventBody(
    { event_id: `e-${attempt}`, event_date: dateOf(at) },
    {
      response_id: attempt,
      quiz_id: quizIdOf(campaign),
      quiz_name: quizToken(campaign),
      ...respondentOf(one),
      date_submitted: dateOf(at),
      points,
      available_points: 100,
      percentage_score: points,
      grade: passed ? 'A' : 'F',
      pass: passed,
    },
  );
  const timestamp = Math.floor(clock.now() / 1_000);
  const headers = signatureHeaders({ scheme, secret: webhookSecret, eventId: `e-${attempt}`, body, timestamp });
  const answer = await clock.during(fetch(`${bot.url()}/webhooks/quiz`, { method: 'POST', body, headers }));
  return answer.status === 200;
}
