import { namedUser, recordName } from '../../directory/names.ts';
import { asSaid, joinSaid, say, named, shortName, capitalized } from '../../domain/said.ts';
import type { AuditEntry } from '../../domain/audit-chain.ts';
import type { OperationContext, Right } from '../../operations/context.ts';
import { InvalidInputError, type TextInput } from '../../operations/text-input.ts';
import { aType } from '../../operations/wording/words.ts';
import { defineOperation } from '../../operations/operation.ts';
import { made, formStep, runStep, type DoneResult, type Page, type Part } from '../../operations/page.ts';
import { moment } from '../../time/date-words.ts';

/** How long people can take back what they made, in milliseconds. */
const takenBackForMs = 10 * 60_000;

const linksAtOnce = 100;

/** What the operations have in common: a button alone runs them, for who made the thing, while nothing depends on it. */
const ofTakingBack = <Needed extends Right>(right: Needed) =>
  ({
    access: 'write',
    right,
    submit: 'Undo',
    isTyped: false,
    forPeopleOnly: true,
    rules: [{ name: 'taking back a quiz or user that the person has just made' }],
  }) as const;

export const takeBackQuiz = defineOperation({
  ...ofTakingBack('edit_quizzes'),
  name: 'take-back-quiz',
  title: say`Undo`,
  command: '/quiz take-back <quiz>',
  summary: 'Take back a quiz that was just made',
  fields: { quiz: { kind: 'quiz', label: 'Quiz' } },
  action: ({ quiz }) => say`take back ${named(quiz.name)}`,
  effect: (_, { quiz }) => say`${named(quiz.name)} would be deleted for good. It has no responses.`,
  done: ({ quiz }) => takenBack(named(quiz.name)),
  async run(context, { quiz }) {
    const { api, directory, call } = context;
    await mustBeTheirs(context, 'quiz', quiz.quiz_id);
    const [responses, groups, users] = await Promise.all([
      api.responses.list(quiz.quiz_id, call),
      api.quizzes.groups(quiz.quiz_id, call),
      directory.users.fresh(call),
    ]);
    const isAssigned = users.some(({ quizzes }) => quizzes.some(({ quiz_id }) => quiz_id === quiz.quiz_id));
    if (responses.length > 0 || groups.length > 0 || isAssigned) throw inUse('quiz', quiz.name);
    await api.quizzes.delete(quiz.quiz_id, call);
    directory.quizzes.remove(quiz);
    return takenBack(named(quiz.name));
  },
});

export const takeBackUser = defineOperation({
  ...ofTakingBack('manage_users'),
  name: 'take-back-user',
  title: say`Undo`,
  command: '/quiz-user take-back <user>',
  summary: 'Take back a user who was just created',
  fields: { user: { kind: 'user', label: 'User' } },
  onUser: ({ user }) => ({ user, to: 'deleted' }),
  takesTurn: true,
  action: ({ user }) => say`take back ${namedUser(user, recordName)}`,
  effect: (_, { user }) => say`${namedUser(user, recordName)}, ${aType(user.user_type)}, would be deleted for good.`,
  done: ({ user }) => takenBack(namedUser(user)),
  async run(context, { user }) {
    const { api, directory, call } = context;
    const theirs = await mustBeTheirs(context, 'user', user.user_id);
    const { user_type, quizzes, trainerquizzes, groups } = await api.users.get(user.user_id, call);
    // Administrators answer for others: they are deleted with approval only.
    const others = groups.filter(({ group_id }) => !theirs.some(({ kind, id }) => kind === 'group' && id === group_id));
    if (user_type === 'administrator' || quizzes.length + trainerquizzes.length + others.length > 0)
      throw inUse('user', namedUser(user));
    await api.users.delete(user.user_id, call);
    directory.users.remove(user);
    return takenBack(namedUser(user));
  },
});

function takenBack(name: string): DoneResult {
  return made(say`Took back ${name}.`);
}

function inUse(field: 'quiz' | 'user', name: string): InvalidInputError {
  return new InvalidInputError(field, say`${name} is in use already, so it can’t be taken back any more.`);
}

/**
 * What else was named when it was made, such as groups.
 * @throws {InvalidInputError} unless the record says that the person made it within the last ten minutes
 */
async function mustBeTheirs(context: OperationContext, kind: 'quiz' | 'user', id: string) {
  for await (const { by, operation, targets = [] } of doneSince(context, context.now() - takenBackForMs))
    if (
      by === context.actor.personId &&
      makers.has(operation) &&
      targets.some((target) => target.kind === kind && target.id === id)
    )
      return targets;
  throw new InvalidInputError(kind, say`Only who made it can take it back, for ten minutes.`);
}

/** What anybody did since a moment, the latest first. */
async function* doneSince({ records }: OperationContext, since: number): AsyncGenerator<AuditEntry, void> {
  for (let before: number | undefined; ;) {
    const links = await records.latestLinks(linksAtOnce, before);
    for (const { entry } of links) {
      if (entry.at < since) return;
      if (entry.action === 'done') yield entry;
    }
    before = links.at(-1)?.position;
    if (before === undefined) return;
  }
}

/** What makes something, and what takes that back. */
const makers: ReadonlyMap<string, { name: string }> = new Map([
  ['create-quiz', takeBackQuiz],
  ['copy-quiz', takeBackQuiz],
  ['create-user', takeBackUser],
]);

const aForm = [say`Undo…`, formStep] as const;

/** The buttons that aren’t a form, which shows first what would change: of several people, some may have had the quiz before. */
const buttons: Readonly<Record<string, readonly [label: string, step: typeof runStep]>> = {
  'create-quiz': [say`Undo`, runStep],
  'copy-quiz': [say`Undo`, runStep],
  'create-user': [say`Undo`, runStep],
  'subscribe-channel': [say`Undo`, runStep],
  'pause-alerts': [say`Resume`, runStep],
  'open-quiz': [say`Close quiz`, runStep],
  'close-quiz': [say`Open again`, runStep],
  'suspend-user': [say`Reinstate`, runStep],
  'reinstate-user': [say`Suspend…`, formStep],
};

const shownForMs = 24 * 60 * 60_000;
const shownAtMost = 10;

export const showUndo = defineOperation({
  name: 'show-undo',
  command: '/quiz undo',
  summary: 'Show what you did last that you can undo',
  title: say`Undo`,
  access: 'read',
  right: 'staff',
  submit: 'Show',
  forPeopleOnly: true,
  fields: {},
  run: async (context) => ({ kind: 'page', ...undoPage(await undoable(context)) }),
});

/** What the person did, and nobody has done something to since. */
async function undoable(context: OperationContext): Promise<Part[]> {
  const { actor, records, now } = context;
  const parts: Part[] = [];
  const touched = new Set<string>();
  for await (const entry of doneSince(context, now() - shownForMs)) {
    const { at, by, operation, batch, change, message, notMade } = entry;
    const targets = standingFor(entry.targets ?? []);
    const changedNothing = change === undefined || (message !== undefined && notMade === undefined);
    if (changedNothing) continue;
    const key = batch ?? JSON.stringify(targets.map(({ kind, id }) => `${kind} ${id}`).toSorted());
    const undone = records.operation(operation);
    const maker = makers.get(operation);
    const inverse = batch === undefined ? (maker?.name ?? undone?.opposite) : undefined;
    const undoing = inverse === undefined ? undefined : records.operation(inverse);
    const input = inputOf(undoing?.fields ?? {}, targets);
    const ids = Object.values(input).flat();
    const isKept = maker !== undefined && (at < now() - takenBackForMs || ids.some((id) => touched.has(id)));
    const isOver = touched.has(key) || message !== undefined || isKept;
    if (batch !== undefined || inverse !== undefined) touched.add(key);
    for (const { id } of targets) touched.add(id);
    if (by !== actor.personId || isOver) continue;
    const progress = batch === undefined ? undefined : await context.batches.progress(batch);
    if (progress?.canUndo)
      parts.push({
        lines: [say`${capitalized(progress.batch.action)} · ${moment(at)}`],
        steps: [runStep(say`Undo…`, { name: 'undo-batch' }, { batch: [progress.batch.id] })],
      });
    const [label, step] = buttons[operation] ?? aForm;
    // What the record doesn’t name, such as all that a subscription was about, can’t be undone from here.
    const isNamed = Object.entries(undoing?.fields ?? {}).every(([name, { optional }]) => optional ?? name in input);
    const isTaken = maker !== undefined || ids.length === targets.length;
    if (undone && undoing && isNamed && isTaken)
      parts.push({
        lines: [say`${asSaid(undone.submit)}: ${namesOf(targets)} · ${moment(at)}`],
        steps: [step(label, undoing, input)],
      });
    if (parts.length === shownAtMost) break;
  }
  return parts;
}

type Targets = NonNullable<AuditEntry['targets']>;

/** A subscription stands for its channel and its quiz. */
function standingFor(targets: Targets): Targets {
  const subscriptions = targets.filter(({ kind }) => kind === 'subscription');
  return subscriptions.length > 0 ? subscriptions : targets;
}

function namesOf(targets: Targets): string {
  const names = targets.map(({ name }) => say`*${shortName(name, 150)}*`);
  return joinSaid(names.length > 5 ? [...names.slice(0, 5), '…'] : names, ', ');
}

/** The input of an operation about the same things. */
function inputOf(fields: Readonly<Record<string, { kind: string }>>, targets: Targets): TextInput {
  const idsFor = (wanted: string) =>
    targets.flatMap(({ kind, id }) => {
      if (wanted === 'assignees') return kind === 'user' || kind === 'group' ? [`${kind}:${id}`] : [];
      return wanted === kind || wanted === `${kind}s` ? [id] : [];
    });
  return Object.fromEntries(
    Object.entries(fields)
      .map(([field, { kind }]) => [field, idsFor(kind)] as const)
      .filter(([, ids]) => ids.length > 0),
  );
}

/** What somebody can undo, each with its button. */
export function undoPage(parts: readonly Part[]): Page {
  return parts.length === 0
    ? { heading: say`You did nothing in the last 24 hours that can be undone here.` }
    : { heading: say`*What you can undo*, latest first`, parts };
}
