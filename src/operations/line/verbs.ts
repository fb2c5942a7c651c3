import { tolerated } from '../../directory/nearest-names.ts';
import { typingDistance } from '../../domain/typing-distance.ts';
import { showToday } from '../../features/administration/today-facts.ts';
import { listCampaigns } from '../../features/campaigns/operations/list-and-show.ts';
import { pauseAlerts } from '../../features/alerts/operations/pause-and-resume.ts';
import { unsubscribeChannel } from '../../features/alerts/operations/subscribe-and-unsubscribe.ts';
import { endCampaign } from '../../features/campaigns/operations/end-and-report.ts';
import { remindCampaign } from '../../features/campaigns/operations/remind.ts';
import { startCampaign } from '../../features/campaigns/operations/start-campaign.ts';
import { addToGroup, removeFromGroup } from '../../features/groups/add-and-remove.ts';
import { assignQuiz } from '../../features/quizzes/assign-and-unassign.ts';
import { createQuiz } from '../../features/quizzes/make-and-delete.ts';
import { closeQuiz, openQuiz } from '../../features/quizzes/open-and-close.ts';
import { createUser } from '../../features/users/create-user.ts';
import { deleteUser } from '../../features/users/state.ts';
import type { Operation } from '../operation.ts';

/** The slash command and the verb of an operation: `/quiz` and `close` of `/quiz close <quiz>`. */
export function commandAndVerb(operation: Operation): { command: string; verb: string } {
  const [command = '', verb = ''] = operation.command.split(' ');
  return { command, verb };
}

/** Whether people can type it. */
export function isTyped(operation: Operation): boolean {
  return operation.isTyped !== false;
}

/** What a command without a verb means. The others show their help. */
const withoutVerb: Readonly<Record<string, Operation>> = {
  '/quiz': showToday,
  '/quiz-campaign': listCampaigns,
};

/** The operation of a command alone; undefined where that asks for its help. */
export function operationWithoutVerb(operations: readonly Operation[], command: string): Operation | undefined {
  const operation = withoutVerb[command];
  return operation && operations.includes(operation) ? operation : undefined;
}

/** Verbs that could mean one of several operations, which are then offered. */
const severalMeanings: Readonly<Record<string, readonly Operation[]>> = {
  '/quiz start': [startCampaign, openQuiz],
  '/quiz send': [assignQuiz],
  '/quiz-campaign send': [remindCampaign],
  '/quiz add': [createQuiz, addToGroup],
  '/quiz stop': [closeQuiz, endCampaign],
  '/quiz end': [closeQuiz, endCampaign],
  '/quiz finish': [closeQuiz, endCampaign],
  '/quiz cancel': [closeQuiz, endCampaign],
  '/quiz-user add': [createUser, addToGroup],
  '/quiz-user remove': [deleteUser, removeFromGroup],
  '/quiz-alerts stop': [pauseAlerts, unsubscribeChannel],
  '/quiz-alerts cancel': [pauseAlerts, unsubscribeChannel],
  '/quiz-alerts off': [pauseAlerts, unsubscribeChannel],
};

/** What takes more words than another does: a quiz is assigned with a due time, and without some people, by a campaign. */
export function fullerThan(operation: Operation): Operation | undefined {
  return operation === assignQuiz ? startCampaign : undefined;
}

/** Whether the quiz service alone does it: its interface neither makes groups nor changes them. */
export function isForServiceOnly(command: string, typed: string): boolean {
  return command === '/quiz-group' && /^(?:create|new|make|rename|copy)$/i.test(typed);
}

/** Every verb that people can type for an operation, its own first. */
export function verbsOf(operation: Operation): readonly string[] {
  return [commandAndVerb(operation).verb, ...(operation.synonyms ?? [])];
}

/** The operation of a command that a verb means. Its own verb goes before a synonym of another. */
export function operationOf(operations: readonly Operation[], command: string, typed: string): Operation | undefined {
  const verb = typed.toLowerCase();
  const own = operations.filter((operation) => operation.command.startsWith(`${command} `) && isTyped(operation));
  return (
    own.find((operation) => commandAndVerb(operation).verb === verb) ??
    own.find((operation) => verbsOf(operation).includes(verb))
  );
}

const suggestedAtMost = 2;

/** In letters. */
const shortestBeginning = 3;

/**
 * The operations that a verb may mean which none has: up to two. A verb resembles another if it begins it or has few typing
 * mistakes. The same verb of another command comes before similar verbs, and verbs of this command before those of others. A
 * verb that undoes another, such as “unsupend”, never means the other.
 */
export function nearestVerbs(operations: readonly Operation[], command: string, typed: string): Operation[] {
  const verb = typed.toLowerCase();
  const meant = severalMeanings[`${command} ${verb}`];
  if (meant) return meant.filter((operation) => operations.includes(operation));
  const [, undone] = /^(?:un|de|dis)-?(\p{L}.*)$/u.exec(verb) ?? [];
  const refused = undone === undefined ? [] : nearestTo(operations, command, undone);
  const found = nearestTo(operations, command, verb).filter((operation) => !refused.includes(operation));
  const opposite = operations.filter(({ name }) => refused.some((operation) => operation.opposite === name));
  return [...new Set([...found, ...opposite])].slice(0, suggestedAtMost);
}

function nearestTo(operations: readonly Operation[], command: string, wanted: string): Operation[] {
  const mistakesAtMost = tolerated(wanted);
  const near = operations.filter(isTyped).flatMap((operation) => {
    const isHere = commandAndVerb(operation).command === command;
    const [own = '', ...others] = verbsOf(operation);
    const mistakes = mistakesIn(own, mistakesAtMost);
    const inOthers = Math.min(...others.map((verb) => mistakesIn(verb, Math.min(1, mistakesAtMost))));
    const distance = Math.min(4 * mistakes, 4 * inOthers + 1) + (isHere ? 0 : 2);
    return Number.isFinite(distance) ? [{ operation, distance }] : [];
  });
  const least = Math.min(...near.map(({ distance }) => distance));
  return near
    .filter(({ distance }) => distance === least)
    .slice(0, suggestedAtMost)
    .map(({ operation }) => operation);

  function mistakesIn(verb: string, atMost: number): number {
    const isBeginning = wanted.length >= shortestBeginning && verb.startsWith(wanted);
    const mistakes = isBeginning ? Math.min(1, verb.length - wanted.length) : typingDistance(wanted, verb, atMost);
    return mistakes > atMost ? Infinity : mistakes;
  }
}
