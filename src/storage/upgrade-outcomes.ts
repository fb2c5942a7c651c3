import { outcomeOf } from '../domain/outcome.ts';
import type { QueueEntry } from '../domain/queue-entry.ts';
import { guestName } from '../domain/short-name.ts';
import { knownResult } from '../domain/result.ts';
import type { EventContent } from './storage.ts';
import { isObject, renamed, type Json } from './upgrade-stored.ts';

/*
 * The upgrade of the data of version 3 (bots of 1.1) to version 4, which tells four outcomes of a submission: version 3 has
 * `passed` or not, and 0 for figures that the service does not say. Each function leaves upgraded data as it is, since an
 * upgrade of Redis that broke off begins again.
 */

/** The content of a queue entry, or of an event that waits. */
export function upgradeContentOutcomes(content: Json): QueueEntry['content'] | EventContent {
  const { submission, digest } = content;
  const upgraded = {
    ...content,
    ...(isObject(submission) && { submission: upgradeSubmission(submission) }),
    ...(isObject(digest) && { digest: { ...digest, quizzes: listOf(digest['quizzes']).map(upgradeDigestOfQuiz) } }),
  };
  return upgraded as unknown as QueueEntry['content'];
}

/** The state of a channel's queue, with the counts of its threads. The states of other queues have none. */
export function upgradeStateOutcomes(state: unknown): unknown {
  if (!isObject(state)) return state;
  const { threads, inFlight } = state;
  return {
    ...state,
    ...(isObject(threads) && {
      threads: Object.fromEntries(Object.entries(threads).map(([key, thread]) => [key, upgradeThread(thread)])),
    }),
    ...(isObject(inFlight) &&
      isObject(inFlight['thread']) && {
        inFlight: {
          ...inFlight,
          thread: { ...inFlight['thread'], counted: upgradeThread(inFlight['thread']['counted']) },
        },
      }),
  };
}

function upgradeSubmission(submission: Json): Json {
  if (!('passed' in submission)) return submission;
  const { passed, name, ...others } = submission as {
    passed: boolean;
    name: string;
    points: number;
    availablePoints: number;
    percentage: number;
    grade: string;
    attempt: number;
    durationSeconds: number;
  };
  const result = {
    ...others,
    outcome: outcomeOf({ ...others, passed }),
    durationSeconds: others.durationSeconds || null,
  };
  return { ...others, name: upgradeName(name), ...knownResult(result) };
}

/** Version 3 counted all submissions that did not pass as failed. */
function upgradeThread(thread: unknown): unknown {
  if (!isObject(thread) || 'failed' in thread) return thread;
  const { submitted, passed } = thread as { submitted: number; passed: number };
  return { ...thread, failed: submitted - passed, unmarked: 0, scored: submitted };
}

function upgradeDigestOfQuiz(quiz: Json): Json {
  if ('failedNames' in quiz) return quiz;
  const { weekBefore, failed, ...others } = quiz;
  const { submitted, passed } = others as unknown as { submitted: number; passed: number };
  return {
    ...others,
    failed: submitted - passed,
    unmarked: 0,
    failedNames: (failed as readonly string[]).map(upgradeName),
    ...(isObject(weekBefore) && { weekBefore: renamed(weekBefore, { submitted: 'graded' }) }),
  };
}

/** Version 3 stored this name for respondents who left none. */
function upgradeName(name: string): string {
  return name === 'Somebody without a name' ? guestName : name;
}

function listOf(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
