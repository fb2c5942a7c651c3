import { type Database, readRow } from '../database.ts';
import type { Score } from '../taking/scoring.ts';

type ResponseStatus = 'not_started' | 'not_submitted' | 'submitted';
type PublishType = 'quiz_link' | 'assigned_user';

interface RegistrationField {
  name: string;
  value: string;
}

/** Specification, section 2.2. */
export interface Response extends Score {
  response_id: string;
  quiz_id: string;
  quiz_name: string;
  first_name: string;
  last_name: string;
  email_address: string;
  user_id: string | null;
  user_name: string | null;
  date_submitted: string | null;
  /** Seconds. */
  duration: number;
  attempt: number;
  ip_address: string;
  status: ResponseStatus;
  publish_type: PublishType;
  access_code: string;
  certificate_url: string;
  response_report_url: string;
  registration_fields: RegistrationField[];
}

export type NewResponse = Pick<
  Response,
  | 'response_id'
  | 'quiz_id'
  | 'user_id'
  | 'first_name'
  | 'last_name'
  | 'email_address'
  | 'attempt'
  | 'ip_address'
  | 'publish_type'
  | 'access_code'
  | 'registration_fields'
>;

interface ResponseRow {
  seq: number;
  response_id: string;
  quiz_id: string;
}

const pageSize = 1000;

/** The value in place of a URL when the quiz has no such page. */
const notInUse = 'not_in_use';

const selectResponses = `
  SELECT r.seq, r.response_id, r.quiz_id, q.name AS quiz_name, r.first_name, r.last_name, r.email_address, r.user_id,
         u.user_name, r.date_submitted, r.points, r.available_points, r.percentage_score, r.grade, r.pass, r.duration,
         r.attempt, r.ip_address, r.status, r.publish_type, r.access_code, r.registration_fields, q.has_certificate,
         q.has_report
  FROM responses r JOIN quizzes q USING (quiz_id) LEFT JOIN users u ON u.user_id = r.user_id`;

/** Lists all responses of a quiz, page by page. @param publicUrl the base of certificate and report URLs */
export function* pageResponses(database: Database, quizId: string, publicUrl: string): Generator<Response[]> {
  let after = 0;
  for (;;) {
    const rows = database.all<ResponseRow>(
      `${selectResponses} WHERE r.quiz_id = ? AND r.seq > ? ORDER BY r.seq LIMIT ?`,
      [quizId, after, pageSize],
    );
    const last = rows.at(-1);
    if (!last) return;
    yield rows.map((row) => toResponse(row, publicUrl));
    if (rows.length < pageSize) return;
    after = last.seq;
  }
}

export function findResponse(database: Database, responseId: string, publicUrl: string): Response | undefined {
  const row = database.get<ResponseRow>(`${selectResponses} WHERE r.response_id = ?`, [responseId]);
  return row && toResponse(row, publicUrl);
}

/** The user's latest attempt at each quiz, by quiz_id. */
export function latestResponsesOfUser(database: Database, userId: string, publicUrl: string): Map<string, Response> {
  const rows = database.all<ResponseRow>(`${selectResponses} WHERE r.user_id = ? ORDER BY r.attempt, r.seq`, [userId]);
  return new Map(rows.map((row) => [row.quiz_id, toResponse(row, publicUrl)]));
}

/** Adds an attempt with the status `not_started`. */
export function addResponse(database: Database, response: NewResponse): void {
  database.insert('responses', { ...response, status: 'not_started' });
}

/** @param startedMs milliseconds since 1970 */
export function markStarted(database: Database, responseId: string, attempt: number, startedMs: number): void {
  const started = { status: 'not_submitted', attempt, started_ms: startedMs };
  database.update('responses', 'response_id', { response_id: responseId, ...started });
}

/** @returns the start of the attempt in ms since 1970 */
export function readStart(database: Database, responseId: string): number | null {
  return (
    database.get<{ started_ms: number | null }>('SELECT started_ms FROM responses WHERE response_id = ?', [responseId])
      ?.started_ms ?? null
  );
}

/** @param result `duration` is in seconds */
export function markSubmitted(
  database: Database,
  responseId: string,
  result: Score & { date_submitted: string; duration: number },
): void {
  database.update('responses', 'response_id', { response_id: responseId, status: 'submitted', ...result });
}

/** Deletes a response with its answers and files. */
export function deleteResponse(database: Database, responseId: string): void {
  database.run('DELETE FROM responses WHERE response_id = ?', [responseId]);
}

/** A respondent: a user, or a guest identified by e-mail address. */
export type Respondent = { userId: string } | { emailAddress: string };

/** Counts the attempts that a respondent has started, submitted or not. */
export function countStartedAttempts(database: Database, quizId: string, respondent: Respondent): number {
  const started = `SELECT count(*) AS count FROM responses WHERE quiz_id = ? AND status <> 'not_started'`;
  const row =
    'userId' in respondent
      ? database.get<{ count: number }>(`${started} AND user_id = ?`, [quizId, respondent.userId])
      : database.get<{ count: number }>(`${started} AND user_id IS NULL AND lower(email_address) = lower(?)`, [
          quizId,
          respondent.emailAddress,
        ]);
  return row?.count ?? 0;
}

/** Finds the attempt that a user has not submitted. */
export function findUnfinishedResponseId(database: Database, quizId: string, userId: string): string | undefined {
  return database.get<{ response_id: string }>(
    `SELECT response_id FROM responses WHERE quiz_id = ? AND user_id = ? AND status <> 'submitted' ORDER BY seq DESC`,
    [quizId, userId],
  )?.response_id;
}

function toResponse({ seq: _, ...row }: ResponseRow, publicUrl: string): Response {
  const { has_certificate, has_report, ...fields } = readRow<
    Response & { has_certificate: boolean; has_report: boolean }
  >(row, { flags: ['pass', 'has_certificate', 'has_report'], json: ['registration_fields'] });
  const isSubmitted = fields.status === 'submitted';
  const pageUrl = (path: string, exists: boolean) => (exists ? `${publicUrl}/${path}/${fields.response_id}` : '');
  return {
    ...fields,
    certificate_url: has_certificate ? pageUrl('certificates', isSubmitted && fields.pass) : notInUse,
    response_report_url: has_report ? pageUrl('results', isSubmitted) : notInUse,
  };
}
