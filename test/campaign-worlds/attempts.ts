import { eventBody, sendEvent } from '../support/event.ts';
import { personToken, quizIdOf, quizToken, userIdOf } from './names.ts';
import type { World } from './world.ts';

/** A submitted attempt. */
interface Attempt {
  attempt: string;
  campaign: number;
  who: number;
  passed: boolean;
  at: number;
}

const dateOf = (at: number) => new Date(at).toISOString().replace('T', ' ').slice(0, 19);

/** The service takes an attempt. */
export function submit({ database }: World, { attempt, campaign, who, passed, at }: Attempt): void {
  const points = passed ? 90 : 20;
  database.run(
    `INSERT INTO responses (response_id, quiz_id, user_id, first_name, last_name, email_address, status, started_ms, date_submitted, points, available_points, percentage_score, grade, pass, duration, attempt, ip_address, publish_type)
     VALUES (?, ?, ?, 'Given', ?, '', 'submitted', 1, ?, ?, 100, ?, ?, ?, 60, 1, '127.0.0.1', 'assigned_user')`,
    [
      attempt,
      quizIdOf(campaign),
      userIdOf(who),
      personToken(who),
      dateOf(at),
      points,
      points,
      passed ? 'A' : 'F',
      Number(passed),
    ],
  );
}

/** The bot gets its webhook. */
export async function hear(
  { bot, clock, journal }: World,
  { attempt, campaign, who, passed, at }: Attempt,
): Promise<void> {
  const date = dateOf(at);
  const points = passed ? 90 : 20;
  const body = eventBody(
    { event_id: `e-${attempt}`, event_date: date },
    {
      response_id: attempt,
      quiz_id: quizIdOf(campaign),
      quiz_name: quizToken(campaign),
      user_id: userIdOf(who),
      date_submitted: date,
      points,
      available_points: 100,
      percentage_score: points,
      grade: passed ? 'A' : 'F',
      pass: passed,
    },
  );
  const answer = await clock.during(sendEvent(bot.url(), body));
  if (answer.status === 200) journal.note({ kind: 'heard', campaign, attempt, at: clock.now() });
}
