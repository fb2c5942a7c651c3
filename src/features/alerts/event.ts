import { knownSubmission, textOfKnown } from '../../domain/known-submission.ts';
import { nameOrId } from '../../domain/name-or-id.ts';
import type { Submission } from '../../domain/queue-entry.ts';
import { shortRespondentName } from '../../domain/short-name.ts';
import { isSubmitted, type QuizResponse, type SubmittedResponse } from '../../quiz-api/responses.ts';
import type { EventContent, NewEvent } from '../../storage/storage.ts';
import {
  createWebhookReader,
  derivedId,
  isSafeId,
  MalformedEventError,
  type ReportedResponse,
  type WebhookBody,
} from './webhook-body.ts';

/**
 * Creates the function that turns a webhook's body into an event. What the signature does not cover is a hint: it names a
 * response and does not make it known, since the service may not know the response and the backfill would pass over it.
 * A response of which the webhook does not say whether it is submitted is a hint too.
 *
 * An event without an id gets one that is the same for every delivery: from the signed id of the delivery, otherwise from
 * the response, the date of its submission and its result, and for other types of event from the body.
 *
 * @param timeZone that of the account's dates
 * @returns throws a `MalformedEventError`
 */
export function createEventParser(timeZone: string): (body: string, delivery: Delivery) => NewEvent {
  const readBody = createWebhookReader(timeZone);
  return (body, delivery) => eventOf(body, readBody(body), delivery);
}

interface Delivery {
  /** Whether the signature covers the body. */
  isTrusted: boolean;
  /** Milliseconds since the epoch. */
  takenAt: number;
  /** The id of the delivery, where the signature covers it. */
  messageId?: string | undefined;
}

function eventOf(
  body: string,
  { eventId, reportedAt, reported }: WebhookBody,
  { isTrusted, takenAt, messageId }: Delivery,
): NewEvent {
  if (eventId !== undefined && isOwnId(eventId))
    throw new MalformedEventError('event_id has a prefix that only the bot uses');
  const content = reported && contentOf(reported, isTrusted);
  const subject =
    reported && content?.kind === 'submission'
      ? subjectOf({ quiz_id: reported.quizId, response_id: reported.responseId })
      : '';
  const ownId = () => {
    if (messageId !== undefined) return derivedId('delivery', messageId);
    // A hint and a signed webhook never share an id: nobody can use up the id of a webhook to come.
    const trust = isTrusted ? 'signed' : 'hint';
    const figures = content?.kind === 'submission' ? [toldBy(content, null).result ?? ''] : [];
    const about = reported ? [reported.quizId, reported.responseId, reported.submittedText, ...figures] : [body];
    return derivedId(trust, ...about);
  };
  const id = eventId ?? ownId();
  return { id, subject, isBackfilled: false, takenAt, content, ...toldBy(content, reportedAt) };
}

function contentOf(
  { quizId, responseId, isNotSubmitted, response }: ReportedResponse,
  isTrusted: boolean,
): EventContent | undefined {
  if (isTrusted && isNotSubmitted) return undefined;
  if (isTrusted && response && isSubmitted(response)) return submissionContent(response, false);
  return { kind: 'hint', quizId, responseId };
}

/** What an event says of its response, for the store. */
function toldBy(content: EventContent | undefined, reportedAt: number | null): Pick<NewEvent, 'result'> {
  if (content?.kind !== 'submission') return {};
  return { result: textOfKnown(knownSubmission(content.submission, reportedAt)) };
}

/** The response that an event reports: the same text in every event about it. */
export function subjectOf(response: Pick<QuizResponse, 'quiz_id' | 'response_id'>): string {
  return `${response.quiz_id}/${response.response_id}`;
}

/** Why the bot makes an event itself: no webhook came for a response, or only a hint, which the service has confirmed. */
type SyntheticKind = 'backfilled' | 'confirmed';

/**
 * The event that a webhook of a submitted response would have been. A backfilled one has the same id for each response; what
 * was confirmed once may be confirmed with another result later.
 */
export function syntheticEvent(kind: SyntheticKind, response: SubmittedResponse, takenAt: number): NewEvent {
  const isBackfilled = kind === 'backfilled';
  const content = submissionContent(response, isBackfilled);
  const id = `${kind}:${response.quiz_id}:${response.response_id}`;
  return {
    id: isBackfilled ? id : `${id}:${takenAt}`,
    subject: subjectOf(response),
    isBackfilled,
    takenAt,
    content,
    ...toldBy(content, null),
  };
}

function isOwnId(id: string): boolean {
  return ['backfilled:', 'confirmed:', 'derived:'].some((prefix) => id.startsWith(prefix));
}

function submissionContent(response: SubmittedResponse, isBackfilled: boolean): EventContent {
  const { user_id: userId, response_report_url: reportUrl } = response;
  const respondent =
    userId && isSafeId(userId)
      ? { respondent: { userId: stored(userId), ...(reportUrl !== null && { reportUrl: stored(reportUrl) }) } }
      : {};
  return { kind: 'submission', submission: submissionOf(response, isBackfilled), ...respondent };
}

/** The part of a response that is announced. */
export function submissionOf(response: SubmittedResponse, isBackfilled: boolean): Submission {
  return {
    quizId: response.quiz_id,
    quizName: stored(nameOrId('quiz', response.quiz_name, response.quiz_id)),
    responseId: response.response_id,
    ...(response.user_id && isSafeId(response.user_id) && { userId: stored(response.user_id) }),
    name: stored(shortRespondentName(response)),
    points: response.points,
    availablePoints: response.available_points,
    percentage: response.percentage_score,
    grade: stored(response.grade),
    outcome: response.outcome,
    attempt: response.attempt,
    durationSeconds: response.duration,
    submittedAt: response.date_submitted?.getTime() ?? null,
    isBackfilled,
  };
}

const longestText = 2_000;

/** A text that every store takes: Lua's JSON, for example, refuses half of a surrogate pair. */
function stored(text: string): string {
  return text.slice(0, longestText).toWellFormed();
}
