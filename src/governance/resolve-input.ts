import type { Directory } from '../directory/directory.ts';
import type { Match } from '../directory/name-index.ts';
import { fullName } from '../directory/names.ts';
import type { Actor, Identity } from '../directory/identity.ts';
import type { SubscriptionService, SubscriptionState } from '../operations/subscription-service.ts';
import { findSubscription, visibleSubscriptions } from '../operations/alerts/find-subscription.ts';
import { subscriptionWords } from '../operations/alerts/words.ts';
import type { Assignee, ChoiceField, Field, FlagsField, Operation, Right, Visibility, Value } from '../operations/operation.ts';
import type { Group } from '../quiz-api/groups.ts';
import type { Quiz } from '../quiz-api/quizzes.ts';
import type { CallOptions } from '../quiz-api/transport.ts';
import type { User } from '../quiz-api/users.ts';

/**
 * What a person typed or chose, by field name. A name, a part of one, an id, an e-mail address; a
 * person of Slack as `<@U123>`, a channel as `<#C123>`; of several assignees each is one text.
 */
export type TextInput = Readonly<Record<string, readonly string[]>>;

/** One of several things a name fits; `value` stands for it in a raw input. */
export interface Candidate {
  value: string;
  label: string;
}

/** What came of reading an input. Sentences are plain text. */
export type ResolvedInput =
  | { kind: 'read'; input: Record<string, Value> }
  | { kind: 'incomplete' }
  | { kind: 'invalid'; field: string; message: string }
  | { kind: 'unclear'; field: string; index: number; typed: string; noun: Noun; candidates: Candidate[]; count: number; isAlike: boolean };

export type Noun = 'quiz' | 'user' | 'group' | 'subscription';

/** What reading needs to know. */
export interface Reader {
  directory: Directory;
  identity: Identity;
  actor: Actor;
  rights: ReadonlySet<Right>;
  alerts: SubscriptionService;
  /** The conversation the person is in, where Slack tells. */
  channelId: string | undefined;
  visibility: Visibility;
  call: CallOptions;
}

type Read = { kind: 'value'; value: Value } | Exclude<ResolvedInput, { kind: 'read' }>;

/** Turns what was typed into what the operation takes. */
export async function resolveInput(operation: Operation, raw: TextInput, reader: Reader): Promise<ResolvedInput> {
  const input: Record<string, Value> = {};
  for (const [name, field] of Object.entries(operation.fields)) {
    const typed = (raw[name] ?? []).map((text) => text.trim()).filter((text) => text !== '');
    if (typed.length === 0 && !followsFromPlace(field)) {
      if (field.optional) continue;
      return { kind: 'incomplete' };
    }
    const read = await resolveField(name, field, typed, reader);
    if (read.kind !== 'value') return read;
    input[name] = read.value;
  }
  return { kind: 'read', input };
}

/** What is not typed follows from where the person is. */
export function followsFromPlace({ kind }: Field): boolean {
  return kind === 'channel' || kind === 'subscription';
}

/** Whether a conversation of Slack is one between two. */
export function isDirectMessage(channelId: string): boolean {
  return channelId.startsWith('D');
}

/** Reads one field of an operation. */
export async function resolveField(name: string, field: Field, typed: readonly string[], reader: Reader): Promise<Read> {
  const [first = ''] = typed;
  switch (field.kind) {
    case 'text':
      if (first.length <= field.maxLength) return { kind: 'value', value: first };
      return invalid(name, `At most ${field.maxLength} characters, these are ${first.length}.`);
    case 'email':
      if (/^[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+$/.test(first)) return { kind: 'value', value: first };
      return invalid(name, 'This is no e-mail address: it looks like rosa@example.com.');
    case 'choice':
    case 'flags':
      return readOptions(name, field, typed, reader.rights);
    case 'quiz':
      return fromMatch(name, 0, first, 'quiz', (await reader.directory.quizzes.names(reader.call)).match(first, { accepts: reader.visibility.quiz }));
    case 'group':
      return fromMatch(name, 0, first, 'group', (await reader.directory.groups.names(reader.call)).match(first, { accepts: reader.visibility.group }));
    case 'user':
      return readUser(name, first, reader);
    case 'channel':
      return readChannel(name, first, reader);
    case 'subscription':
      return readSubscription(name, first, reader);
    case 'assignees':
    case 'slack-people':
      return readAssignees(name, typed, reader);
  }
}

function readChannel(name: string, typed: string, { channelId }: Reader): Read {
  if (typed !== '') {
    const [, id, channelName] = /^<#([CG][A-Z0-9]+)(?:\|([^>]*))?>$/.exec(typed) ?? [];
    if (id === undefined) return invalid(name, 'Name a channel with #, such as #training, and choose it from what Slack offers.');
    return { kind: 'value', value: { channel_id: id, channel_name: channelName || undefined } };
  }
  if (channelId === undefined || isDirectMessage(channelId)) return invalid(name, 'Alerts go to channels, not to direct messages: type this in the channel, or name it, such as #training.');
  return { kind: 'value', value: { channel_id: channelId, channel_name: undefined } };
}

async function readSubscription(name: string, typed: string, { alerts, ...place }: Reader): Promise<Read> {
  const found = findSubscription(visibleSubscriptions(await alerts.all(), place), typed, place.channelId);
  if ('message' in found) return invalid(name, found.message);
  const [only, ...others] = found.fitting;
  if (only !== undefined && others.length === 0) return { kind: 'value', value: only };
  return { kind: 'unclear', field: name, index: 0, typed, noun: 'subscription', candidates: found.fitting.map(subscriptionCandidate), count: found.fitting.length, isAlike: true };
}

function subscriptionCandidate({ subscription }: SubscriptionState): Candidate {
  return { value: subscription.id, label: subscriptionWords(subscription) };
}

async function readUser(name: string, typed: string, reader: Reader, index = 0): Promise<Read> {
  const personId = mentionedPersonId(typed);
  if (personId === undefined) {
    return fromMatch(name, index, typed, 'user', (await reader.directory.users.names(reader.call)).match(typed, { accepts: reader.visibility.user }));
  }
  const { user } = await reader.identity.actorOf(personId, { fresh: false, call: reader.call });
  if (user && reader.visibility.user(user)) return { kind: 'value', value: user };
  return invalid(name, `${mentionLabel(typed)} has no user in the quiz account that you may see. Their Slack e-mail address must be a user’s.`);
}

async function readAssignees(name: string, typed: readonly string[], reader: Reader): Promise<Read> {
  const assignees: Assignee[] = [];
  for (const [index, text] of typed.entries()) {
    const read = await readAssignee(name, index, text, reader);
    if (read.kind !== 'value') return read;
    assignees.push(...(read.value as Assignee[]));
  }
  return { kind: 'value', value: assignees };
}

/** A person or a group: a group only where its name is meant exactly, or no person fits. */
async function readAssignee(name: string, index: number, typed: string, reader: Reader): Promise<Read> {
  const tag = /^(user|group):(.+)/s.exec(typed);
  if (tag?.[1] !== 'user' && mentionedPersonId(typed) === undefined) {
    const wanted = tag?.[2] ?? typed;
    const groups = await reader.directory.groups.names(reader.call);
    const users = await reader.directory.users.names(reader.call);
    const group = groups.match(wanted, { accepts: reader.visibility.group });
    const isGroup = tag?.[1] === 'group' || groups.named(wanted).some(reader.visibility.group) || users.match(wanted, { accepts: reader.visibility.user }).kind === 'none';
    if (isGroup && (group.kind !== 'none' || tag)) {
      const read = fromMatch(name, index, wanted, 'group', group, 'group:');
      return read.kind === 'value' ? { kind: 'value', value: [{ kind: 'group', group: read.value as Group }] } : read;
    }
  }
  const read = await readUser(name, tag?.[2] ?? typed, reader, index);
  return read.kind === 'value' ? { kind: 'value', value: [{ kind: 'user', user: read.value as User }] } : read;
}

function readOptions(name: string, field: ChoiceField | FlagsField, typed: readonly string[], rights: ReadonlySet<Right>): Read {
  const offered = field.options.filter(({ needs }) => needs === undefined || rights.has(needs));
  const chosen = typed.map((text) => offered.find((option) => [option.value, option.label].some((own) => own.toLowerCase() === text.toLowerCase())));
  if (chosen.every((option) => option !== undefined)) {
    const values = chosen.map(({ value }) => value);
    return { kind: 'value', value: field.kind === 'choice' ? values[0]! : values };
  }
  return invalid(name, `You can choose ${new Intl.ListFormat('en', { type: 'disjunction' }).format(offered.map(({ label }) => label))} here.`);
}

function fromMatch(field: string, index: number, typed: string, noun: Noun, match: Match<Quiz | User | Group>, prefix = ''): Read {
  if (match.kind === 'one') return { kind: 'value', value: match.item };
  const items = match.kind === 'several' ? match.items : match.nearest;
  const candidates = items.map((item) => candidate(item, prefix));
  const count = match.kind === 'several' ? match.count : candidates.length;
  return { kind: 'unclear', field, index, typed, noun, candidates, count, isAlike: match.kind === 'several' };
}

function candidate(item: Quiz | User | Group, prefix: string): Candidate {
  if ('user_id' in item) return { value: prefix + item.user_id, label: fullName(item) };
  if ('group_id' in item) return { value: prefix + item.group_id, label: item.group_name };
  return { value: prefix + item.quiz_id, label: item.name };
}

function invalid(field: string, message: string): Read {
  return { kind: 'invalid', field, message };
}

function mentionedPersonId(typed: string): string | undefined {
  return /^<@([UW][A-Z0-9]+)(?:\|[^>]*)?>$/.exec(typed)?.[1];
}

function mentionLabel(typed: string): string {
  return /\|([^>]+)>/.exec(typed)?.[1] ?? 'This person';
}
