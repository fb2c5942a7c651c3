import { tolerated, typingDistance } from '../directory/nearest-names.ts';
import type { Operation } from '../operations/operation.ts';

/** The slash command and the verb of an operation: `/quiz` and `close` of `/quiz close <quiz>`. */
export function commandAndVerb(operation: Operation): { command: string; verb: string } {
  const [command = '', verb = ''] = operation.command.split(' ');
  return { command, verb };
}

/** Whether people can type it. */
export function isTyped(operation: Operation): boolean {
  return operation.isTyped !== false;
}

/** What else people type for a verb, by operation. It means the same, so it runs like the verb. */
const synonyms: Readonly<Record<string, readonly string[]>> = {
  'list-quizzes': ['ls', 'find', 'search', 'quizzes'],
  'show-quiz': ['info', 'view', 'details'],
  'create-quiz': ['new'],
  'open-quiz': ['reopen', 're-open', 'unclose', 'activate', 'publish'],
  'close-quiz': ['unopen', 'deactivate', 'lock', 'unpublish'],
  'copy-quiz': ['duplicate', 'clone'],
  'delete-quiz': ['remove'],
  'assign-quiz': ['give', 'reassign'],
  'show-results': ['result', 'scores', 'score'],
  'export-results': ['download', 'csv'],
  'show-missing': ['overdue', 'outstanding', 'incomplete'],
  'show-attempt': ['answers', 'answer', 'response'],
  'my-quizzes': ['me', 'my'],
  'list-users': ['ls', 'users'],
  'show-user': ['info', 'view', 'details', 'profile'],
  'find-user': ['search', 'lookup'],
  'create-user': ['new', 'invite'],
  'update-user': ['edit', 'change', 'set'],
  'suspend-user': ['deactivate', 'disable', 'block', 'unreinstate', 'lock'],
  'reinstate-user': ['unsuspend', 'un-suspend', 'activate', 'reactivate', 'enable', 'unblock', 'restore', 'unlock'],
  'suspend-group': ['deactivate-group', 'disable-group', 'block-group', 'unreinstate-group'],
  'reinstate-group': [
    'unsuspend-group',
    'activate-group',
    'reactivate-group',
    'enable-group',
    'unblock-group',
    'restore-group',
  ],
  'reset-password': ['reset', 'password', 'new-password'],
  'import-users': ['upload'],
  'list-groups': ['ls', 'groups'],
  'show-group': ['members', 'info', 'view', 'who'],
  'remove-from-group': ['delete', 'take'],
  'empty-group': ['clear'],
  'subscribe-channel': ['add', 'follow', 'new'],
  'list-alerts': ['ls', 'settings', 'subscriptions', 'show'],
  'unsubscribe-channel': ['unfollow', 'remove', 'delete'],
  'pause-alerts': ['mute', 'snooze'],
  'resume-alerts': ['unpause', 'unmute', 'unsnooze', 'restart'],
  'start-campaign': ['create', 'new', 'launch'],
  'list-campaigns': ['ls', 'campaigns'],
  'show-campaign': ['status', 'info', 'view', 'progress'],
  'remind-campaign': ['nudge', 'chase'],
  'extend-campaign': ['postpone', 'prolong'],
  'include-campaign': ['unexcuse'],
  'hand-over-campaign': ['transfer'],
  'end-campaign': ['stop', 'cancel', 'finish', 'close'],
  'report-campaign': ['export', 'download', 'csv'],
  'list-requests': ['requests'],
  'who-am-i': ['me'],
  'show-status': ['health'],
  'show-audit': ['log', 'history', 'trail'],
};

/** Verbs that could mean one of several operations, which are then offered. */
const severalMeanings: Readonly<Record<string, readonly string[]>> = {
  '/quiz start': ['start-campaign', 'open-quiz'],
  '/quiz add': ['create-quiz', 'add-to-group'],
  '/quiz stop': ['close-quiz', 'end-campaign'],
  '/quiz end': ['close-quiz', 'end-campaign'],
  '/quiz finish': ['close-quiz', 'end-campaign'],
  '/quiz cancel': ['close-quiz', 'end-campaign'],
  '/quiz-user add': ['create-user', 'add-to-group'],
  '/quiz-user remove': ['delete-user', 'remove-from-group'],
  '/quiz-alerts stop': ['pause-alerts', 'unsubscribe-channel'],
  '/quiz-alerts cancel': ['pause-alerts', 'unsubscribe-channel'],
  '/quiz-alerts off': ['pause-alerts', 'unsubscribe-channel'],
};

/** What takes back what the other does. */
const opposites: readonly (readonly [string, string])[] = [
  ['open-quiz', 'close-quiz'],
  ['assign-quiz', 'unassign-quiz'],
  ['suspend-user', 'reinstate-user'],
  ['suspend-group', 'reinstate-group'],
  ['add-to-group', 'remove-from-group'],
  ['assign-to-group', 'unassign-from-group'],
  ['subscribe-channel', 'unsubscribe-channel'],
  ['pause-alerts', 'resume-alerts'],
  ['excuse-campaign', 'include-campaign'],
];

/** Every verb that people can type for an operation, its own first. */
export function verbsOf(operation: Operation): readonly string[] {
  return [commandAndVerb(operation).verb, ...(synonyms[operation.name] ?? [])];
}

/** The operation of a command that a verb means. Its own verb goes before a synonym of another. */
export function operationOf(operations: readonly Operation[], command: string, typed: string): Operation | undefined {
  const verb = typed.toLowerCase();
  const own = operations.filter((operation) => isTyped(operation) && commandAndVerb(operation).command === command);
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
  if (meant) return operations.filter(({ name }) => meant.includes(name)).toSorted((a, b) => order(a) - order(b));
  const [, undone] = /^(?:un|de|dis)-?(\p{L}.*)$/u.exec(verb) ?? [];
  const refused = undone === undefined ? [] : nearestTo(operations, command, undone);
  const found = nearestTo(operations, command, verb).filter((operation) => !refused.includes(operation));
  const opposite = refused.flatMap(({ name }) => operations.filter((other) => oppositeOf(name) === other.name));
  return [...new Set([...found, ...opposite])].slice(0, suggestedAtMost);

  function order({ name }: Operation): number {
    return meant?.indexOf(name) ?? 0;
  }
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

function oppositeOf(name: string): string | undefined {
  const pair = opposites.find((both) => both.includes(name));
  return pair?.find((other) => other !== name);
}
