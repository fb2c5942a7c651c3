import { setTimeout as pause } from 'node:timers/promises';
import { request } from 'undici';
import { eventBody, sign } from './event.ts';
import type { ProcessTestBed } from './process-test-bed.ts';

/** Takes a quiz through its link as a guest, without scripts, and submits each form with its first options. */
export async function takeQuiz(serviceUrl: string, quizId: string, emailAddress = 'ines@guest.example'): Promise<void> {
  const visit = async (url: URL, body?: URLSearchParams): Promise<{ url: URL; html: string }> => {
    const page = await fetch(url, { ...(body && { method: 'POST', body }) });
    return { url: new URL(page.url), html: await page.text() };
  };

  let page = await visit(new URL(`/take/${quizId}`, serviceUrl));
  for (;;) {
    const forms = [...page.html.matchAll(/<form[^>]*method="post"[\s\S]*?<\/form>/g)].map(([form]) => form);
    const form = forms.find((candidate) => candidate.includes('name="first_name"')) ?? forms.at(-1);
    if (form === undefined) return;
    page = await visit(new URL(/action="([^"]*)"/.exec(form)?.[1] ?? '', page.url), filledIn(form, emailAddress));
  }
}

function filledIn(form: string, emailAddress: string): URLSearchParams {
  const typed: Record<string, string> = { first_name: 'Ines', last_name: 'Guest', email_address: emailAddress };
  const fields = new URLSearchParams();
  for (const [tag] of form.matchAll(/<(?:input|textarea|select)\b[^>]*>/g)) {
    const name = /name="([^"]*)"/.exec(tag)?.[1];
    if (name === undefined || fields.has(name) || tag.includes('type="file"')) continue;
    fields.append(name, typed[name] ?? (/value="([^"]*)"/.exec(tag)?.[1] || 'something'));
  }
  return fields;
}

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
