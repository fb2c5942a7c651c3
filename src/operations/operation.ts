import type { Directory } from '../directory/directory.ts';
import type { Actor } from '../directory/identity.ts';
import { InvigilatorError } from '../domain/errors.ts';
import type { PlatformWords } from '../domain/platform-words.ts';
import type { Group } from '../quiz-api/groups.ts';
import type { QuizApi } from '../quiz-api/quiz-api.ts';
import type { Quiz, QuizStatus } from '../quiz-api/quizzes.ts';
import type { CallOptions } from '../quiz-api/transport.ts';
import type { User } from '../quiz-api/users.ts';
import type { SubscriptionService, SubscriptionState } from './subscription-service.ts';
import type { OutgoingFile } from './outgoing-file.ts';
import type { Records } from './records.ts';
import type { OperationResult } from './operation-result.ts';

/** `destructive` cannot be undone. */
export type Access = 'read' | 'write' | 'destructive';

/**
 * What an operation can ask of the person: to be somebody the account knows, to be staff (trainer or
 * administrator), to hold one of the service's flags, or to be an administrator.
 */
export type Right = 'known' | 'staff' | 'edit_quizzes' | 'manage_users' | 'manage_groups' | 'administrator';

interface FieldBase {
  label: string;
  hint?: string;
  optional?: true;
}

/** A quiz the person may see; `status` narrows the picker to quizzes one would choose here. */
export interface QuizField extends FieldBase {
  kind: 'quiz';
  status?: readonly QuizStatus[];
}

/** A user; `accepts` narrows the picker to users one would choose here. */
export interface UserField extends FieldBase {
  kind: 'user';
  accepts?: (user: User) => boolean;
}

export interface GroupField extends FieldBase {
  kind: 'group';
}

/** Any number of users and groups. */
export interface AssigneesField extends FieldBase {
  kind: 'assignees';
}

/** Any number of people of Slack, who are users too. */
export interface PeopleField extends FieldBase {
  kind: 'slack-people';
}

/** A channel of Slack; where none is given, the one the person is in. */
export interface ChannelField extends FieldBase {
  kind: 'channel';
}

/** What a channel hears of; where none is given, the only one of the channel the person is in. */
export interface SubscriptionField extends FieldBase {
  kind: 'subscription';
}

export interface TextField extends FieldBase {
  kind: 'text';
  maxLength: number;
}

export interface EmailField extends FieldBase {
  kind: 'email';
}

/** `needs`: offered only to who has the right. */
export interface FieldOption {
  value: string;
  label: string;
  hint?: string;
  needs?: Right;
}

/** One of a few; `usual` is chosen until the person chooses. */
export interface ChoiceField extends FieldBase {
  kind: 'choice';
  options: readonly FieldOption[];
  usual?: string;
}

/** Any of a few, as checkboxes. */
export interface FlagsField extends FieldBase {
  kind: 'flags';
  optional: true;
  options: readonly FieldOption[];
}

export type Field =
  | QuizField
  | UserField
  | GroupField
  | AssigneesField
  | PeopleField
  | ChannelField
  | SubscriptionField
  | TextField
  | EmailField
  | ChoiceField
  | FlagsField;
export type Fields = Readonly<Record<string, Field>>;

/** Somebody or some group that gets a quiz. */
export type Assignee = { kind: 'user'; user: User } | { kind: 'group'; group: Group };

/** A channel of Slack. */
export interface Channel {
  channel_id: string;
  /** Without the `#`; undefined where it is not known. */
  channel_name: string | undefined;
}

interface Values {
  quiz: Quiz;
  user: User;
  group: Group;
  assignees: Assignee[];
  'slack-people': Assignee[];
  channel: Channel;
  subscription: SubscriptionState;
  text: string;
  email: string;
  choice: string;
  flags: string[];
}
export type Value = Values[keyof Values];

/** The parsed input: every required field is there. */
export type Input<F extends Fields> = {
  [Name in keyof F]: F[Name] extends { optional: true } ? Values[F[Name]['kind']] | undefined : Values[F[Name]['kind']];
};

/** What an operation works with. `call` carries the deadline and belongs in every call of the service. */
export interface OperationContext {
  api: QuizApi;
  directory: Directory;
  actor: Actor;
  rights: ReadonlySet<Right>;
  /** Of what there is, what the person may know of. */
  visibility: Visibility;
  platform: PlatformWords;
  /** The zone in which a day begins and ends. */
  timeZone: string;
  makePassword: () => string;
  /** Sends a file to the person and nobody else. Its stream is used up, or destroyed where that fails. */
  sendFile: (file: OutgoingFile) => Promise<void>;
  /** The alerts of the workspace the person is in. */
  alerts: SubscriptionService;
  /** The conversation the person is in, where Slack tells. */
  channelId: string | undefined;
  /** What the bot itself keeps. */
  records: Records;
  /** Milliseconds since the epoch. */
  now: () => number;
  call: CallOptions;
}

export interface Visibility {
  quiz: (quiz: Quiz) => boolean;
  user: (user: User) => boolean;
  group: (group: Group) => boolean;
}

/**
 * Something a person can do, defined once: the slash command, the form, its errors, the help text and
 * the log come from it.
 */
export interface Operation<F extends Fields = Fields> {
  /** Also the callback id of its form and of its global shortcut, where the manifest has one. */
  name: string;
  /** As it is typed, with those of its fields that can be typed: `<quiz>` must be there, `[filter]` may be, `…` is asked for in the form. */
  command: string;
  summary: string;
  access: Access;
  right: Right;
  fields: F;
  /** The word on the form's button. */
  submit: string;
  /** Makes something new each time it runs: it is never run again where it may have been done. */
  makesNew?: true;
  /**
   * Reads what is typed after the verb, where the words are in no order that `command` could show.
   * @throws {InvalidInputError}
   */
  parse?(line: string): TextInput;
  /** @throws {InvalidInputError} when fields do not go together */
  check?(input: Input<F>): void;
  /** What it is about to do, in plain words, for whoever decides on it. */
  effect?(context: OperationContext, input: Input<F>): string | Promise<string>;
  /** Whether things are already as it would make them; asked where a crash may have come after it was done. */
  isDone?(input: Input<F>): boolean;
  /** @throws {InvalidInputError} when the account does not have what a field names */
  run(context: OperationContext, input: Input<F>): Promise<OperationResult>;
}

/** What was typed, by field name. */
export type TextInput = Readonly<Record<string, readonly string[]>>;

/** Checks that `run` fits the fields; what comes out is an operation like any other. */
export function defineOperation<const F extends Fields>(operation: Operation<F>): Operation {
  return operation;
}

/** The name of the input in which a person says why, beside the operation’s own fields. */
export const reasonField = 'reason';

/** The input of a field is refused; the sentence, in plain text, says what to do. */
export class InvalidInputError extends InvigilatorError {
  readonly code = 'invalid_input';
  readonly field: string;

  constructor(field: string, message: string) {
    super(message);
    this.field = field;
  }
}
