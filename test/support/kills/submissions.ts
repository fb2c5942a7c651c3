import { setTimeout as pause } from 'node:timers/promises';
import { request } from 'undici';
import { eventBody, sign } from '../event.ts';
import type { ProcessTestBed } from '../process-test-bed.ts';

/** Somebody's submission. Points are out of 100. */
interface Submission {
  responseId: string;
  quiz: { id: string; name: string };
  userId: string;
  submittedAt: number;
  points: number;
  passes: boolean;
}

/** The service takes a submission. */
export function takeSubmission({ quizService: { database } }: ProcessTestBed, submission: Submission): void {
  const { responseId, quiz, userId, points, passes } = submission;
  database.run(
    `INSERT INTO responses (response_id, quiz_id, user_id, first_name, last_name, email_address, status, started_ms, date_submitted, points, available_points, percentage_score, grade, pass, duration, attempt, ip_address, publish_type)
     VALUES (?, ?, ?, 'Member', '', '', 'submitted', 1, ?, ?, 100, ?, ?, ?, 60, 1, '127.0.0.1', 'assigned_user')`,
    [responseId, quiz.id, userId, dateOf(submission), points, points, gradeOf(submission), Number(passes)],
  );
}

/** Sends the webhook of a submission until the bot has it. */
export async function sendSubmission(
  { bots: [bot] }: Pick<ProcessTestBed, 'bots'>,
  submission: Submission,
): Promise<void> {
  const { responseId, quiz, userId, points, passes } = submission;
  const date = dateOf(submission);
  const body = eventBody(
    { event_id: `e-${responseId}`, event_date: date },
    {
      response_id: responseId,
      quiz_id: quiz.id,
      quiz_name: quiz.name,
      user_id: userId,
      date_submitted: date,
      points,
      available_points: 100,
      percentage_score: points,
      grade: gradeOf(submission),
      pass: passes,
    },
  );
  while (!(await deliver(`${bot?.url}/webhooks/quiz`, body).catch(() => false))) await pause(50);
}

const dateOf = ({ submittedAt }: Submission) => new Date(submittedAt).toISOString().replace('T', ' ').slice(0, 19);

const gradeOf = ({ passes }: Submission) => (passes ? 'A' : 'F');

async function deliver(url: string, body: string): Promise<boolean> {
  const answer = await request(url, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', 'x-webhook-signature': sign(body) },
  });
  await answer.body.dump();
  return answer.statusCode === 200;
}
