import { fullName } from '../../directory/names.ts';
import type { SubscriptionState } from '../../operations/subscription-service.ts';
import { subscriptionWords } from '../../operations/alerts/words.ts';
import type { Assignee, Channel, Field, Operation, Value, OperationContext } from '../../operations/operation.ts';
import { NotFoundError } from '../../quiz-api/errors.ts';
import type { Group } from '../../quiz-api/groups.ts';
import type { Quiz } from '../../quiz-api/quizzes.ts';
import type { User } from '../../quiz-api/users.ts';
import type { ChangePreview, Target } from '../../domain/approval-request.ts';
import type { TextInput } from '../resolve-input.ts';

export type OperationInput = Readonly<Record<string, Value>>;

/** The input with its quiz and user as the service has them now, or the one that is gone. */
export async function refetch(input: OperationInput, { api, directory, call }: OperationContext): Promise<{ input: OperationInput } | { gone: Target; field: string }> {
  const fresh: Record<string, Value> = { ...input };
  for (const [name, value] of Object.entries(input)) {
    const [target] = targetsIn(value);
    if (target === undefined || Array.isArray(value)) continue;
    try {
      if (target.kind === 'quiz') {
        const quiz = await api.quizzes.get(target.id, call);
        directory.quizzes.put(quiz);
        fresh[name] = quiz;
      } else if (target.kind === 'user') {
        const user = await api.users.get(target.id, call);
        directory.users.put(user);
        fresh[name] = user;
      }
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
      if (target.kind === 'quiz') directory.quizzes.remove(value as Quiz);
      else directory.users.remove(value as User);
      return { gone: target, field: name };
    }
  }
  return { input: fresh };
}

/** What the operation would do to what, as things stand. */
export async function previewOf(operation: Operation, input: OperationInput, context: OperationContext): Promise<ChangePreview> {
  return {
    effect: (await operation.effect?.(context, input)) ?? operation.summary,
    details: detailsOf(operation, input),
    targets: Object.values(input).flatMap(targetsIn),
  };
}

/** What the person gave, as label and words. */
export function detailsOf(operation: Operation, input: OperationInput): ChangePreview['details'] {
  return Object.entries(operation.fields).flatMap(([name, field]) => {
    const value = input[name];
    return value === undefined ? [] : [{ label: field.label, value: inWords(field, value) }];
  });
}

export function targetsIn(value: Value): Target[] {
  if (typeof value === 'string') return [];
  if (Array.isArray(value)) {
    return value.flatMap((one) => (typeof one === 'string' ? [] : [one.kind === 'user' ? userTarget(one.user) : groupTarget(one.group)]));
  }
  if ('user_id' in value) return [userTarget(value)];
  if ('channel_id' in value) return [channelTarget(value)];
  if ('subscription' in value) return [subscriptionTarget(value), channelTarget({ channel_id: value.subscription.channelId, channel_name: undefined })];
  return ['group_id' in value ? groupTarget(value) : quizTarget(value)];
}

/** The input as it is kept: things by their ids, so that a new name changes nothing. */
export function idsOf(input: OperationInput): TextInput {
  return Object.fromEntries(Object.entries(input).map(([name, value]) => [name, idTexts(value)]));
}

/** A prospect for somebody who may not see how people can be reached. */
export function withoutAddresses(preview: ChangePreview): ChangePreview {
  const isShown = ([fact]: [string, string]) => fact !== 'User name' && fact !== 'E-mail address';
  return {
    ...preview,
    targets: preview.targets.map((target) => ({ ...target, facts: Object.fromEntries(Object.entries(target.facts).filter(isShown)) })),
  };
}

/** What is different from before, a sentence each. */
export function changesBetween(before: ChangePreview, now: ChangePreview): string[] {
  const changes = now.targets.flatMap((target) => {
    const old = before.targets.find(({ kind, id }) => kind === target.kind && id === target.id);
    if (old === undefined) return [];
    return Object.entries(target.facts)
      .filter(([fact, value]) => old.facts[fact] !== value)
      .map(([fact, value]) => `${old.name}: ${fact.toLowerCase()} was “${old.facts[fact] ?? ''}”, is “${value}”.`);
  });
  if (changes.length === 0 && before.effect !== now.effect) return [`Before: ${before.effect}`];
  return changes;
}

function quizTarget({ quiz_id, name, status }: Quiz): Target {
  return { kind: 'quiz', id: quiz_id, name, facts: { Name: name, State: status.replace('_', ' ') } };
}

function userTarget(user: User): Target {
  const flags = (['edit_quizzes', 'manage_users', 'manage_groups'] as const).filter((flag) => user[flag]);
  return {
    kind: 'user',
    id: user.user_id,
    name: fullName(user),
    facts: {
      Name: fullName(user),
      'User name': user.user_name,
      'E-mail address': user.email_address,
      Type: user.user_type,
      Rights: flags.map((flag) => flag.replace('_', ' ')).join(', ') || 'none',
      Suspended: user.suspended ? 'yes' : 'no',
    },
  };
}

function groupTarget({ group_id, group_name }: Group): Target {
  return { kind: 'group', id: group_id, name: group_name, facts: { Name: group_name } };
}

function channelTarget({ channel_id, channel_name }: Channel): Target {
  return { kind: 'channel', id: channel_id, name: channel_name === undefined ? `channel ${channel_id}` : `#${channel_name}`, facts: {} };
}

function subscriptionTarget({ subscription }: SubscriptionState): Target {
  return { kind: 'subscription', id: subscription.id, name: subscriptionWords(subscription), facts: {} };
}

function idTexts(value: Value): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.map((one) => (typeof one === 'string' ? one : assigneeId(one)));
  if ('user_id' in value) return [value.user_id];
  if ('channel_id' in value) return [`<#${value.channel_id}>`];
  if ('subscription' in value) return [value.subscription.id];
  return ['group_id' in value ? value.group_id : value.quiz_id];
}

function assigneeId(assignee: Assignee): string {
  return assignee.kind === 'user' ? `user:${assignee.user.user_id}` : `group:${assignee.group.group_id}`;
}

function inWords(field: Field, value: Value): string {
  const names = targetsIn(value).map(({ name }) => name);
  if (names.length > 0) return new Intl.ListFormat('en').format(names);
  const labelOf = (text: string) => ('options' in field ? field.options.find((option) => option.value === text)?.label : undefined);
  return idTexts(value).map((text) => labelOf(text) ?? text).join(', ');
}
