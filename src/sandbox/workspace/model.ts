import type { Block } from './block-kit/blocks.ts';
import type { InputState, InputValues, Option, PlainText } from './block-kit/elements.ts';

export type { InputState, InputValues };

export interface Person {
  id: string;
  /** The handle, without @. */
  name: string;
  realName: string;
  /** The description on the page. */
  title: string;
  email: string;
  timeZone: string;
  /** The language of their Slack. Default: en-US. */
  locale?: string;
  isGuest?: boolean;
  isBot?: boolean;
  isDeleted?: boolean;
  /** When they were changed last, in milliseconds since 1970. */
  updatedAt?: number;
  /** The person's workspace, if it is another one. */
  teamId?: string;
  /** The enterprise of the person, if it differs from the bot's or the person is of another workspace in it. */
  enterpriseId?: string;
  /** The hours without notifications in the person's zone, as HH:mm, every night. Default: none. */
  doNotDisturb?: { from: string; to: string };
  /** Whether the person has confirmed their address. Default: true. */
  isEmailConfirmed?: boolean;
  /** What custom fields of their profile hold, by the ID of the field; of a field of the type `user`, IDs of people. */
  fields?: Readonly<Record<string, string>>;
}

/** A custom field of the profiles: https://docs.slack.dev/reference/methods/team.profile.get */
export interface ProfileField {
  id: string;
  label: string;
  type: 'text' | 'user';
  /** Nobody edits it in their own profile. */
  isProtected?: boolean;
  /** The company's directory of people fills it. */
  isScim?: boolean;
}

export interface Channel {
  id: string;
  name: string;
  kind: 'public' | 'private' | 'im' | 'mpim';
  members: string[];
  topic?: string;
  isArchived?: boolean;
  /** The workspaces of other companies that share the channel through Slack Connect. */
  sharedWith?: readonly Team[];
}

export interface UserGroup {
  id: string;
  /** The handle, without @. */
  handle: string;
  name: string;
  members: readonly string[];
  isDisabled?: boolean;
  /** The group's workspace, if it is another one. */
  teamId?: string;
}

/** The Enterprise organization of the workspace. */
export interface Enterprise {
  id: string;
  name: string;
  /** Whether the app is installed for the whole organization. */
  isInstalledForAll: boolean;
  /** The workspaces that have the app, where it is installed for all. Default: the sandbox's own. */
  workspaces?: readonly Team[];
}

export interface Team {
  id: string;
  name: string;
}

export interface Metadata {
  event_type: string;
  event_payload: Record<string, unknown>;
}

export interface WorkspaceFile {
  id: string;
  name: string;
  title: string;
  mimetype: string;
  size: number;
  user: string;
  created: number;
  url: string;
  altText?: string;
  /** The first characters of a text file. */
  preview?: string;
  channels: string[];
  /** Whether a person chose it in a file input of the bot. */
  isForBot?: boolean;
}

export interface Message {
  channel: string;
  ts: string;
  user: string;
  text: string;
  blocks?: Block[];
  threadTs?: string;
  /** Whether a reply in a thread is also in the channel. */
  isBroadcast?: boolean;
  metadata?: Metadata;
  files?: WorkspaceFile[];
  editedTs?: string;
  /** The only person who sees the message, if it is ephemeral. */
  onlyFor?: string;
  /** The bot that sent the message. Absent for messages of people. */
  botId?: string;
}

export interface View {
  id: string;
  type: 'modal' | 'home';
  callback_id: string;
  private_metadata: string;
  hash: string;
  title?: PlainText;
  submit?: PlainText;
  close?: PlainText;
  blocks: Block[];
  root_view_id: string;
  previous_view_id: string | null;
  state: { values: InputValues };
  /** The person who sees the view. */
  user: string;
}

/** The tour since its start: what of it has happened. */
export interface TourProgress {
  /** Messages before this one are none of the person’s doing. */
  sinceTs: string;
  /** The titles of the steps. */
  done: string[];
}

/** A temporary notice of the workspace itself, for example about a failed click. */
export interface Notice {
  id: string;
  user: string;
  text: string;
}

export interface Call {
  id: string;
  at: number;
  method: string;
  args: Record<string, unknown>;
  ok: boolean;
  error?: string;
  status: number;
  answer: unknown;
}

export type DeliveryKind =
  | 'command'
  | 'shortcut'
  | 'message_action'
  | 'block_actions'
  | 'view_submission'
  | 'block_suggestion'
  | 'event';

export interface Delivery {
  id: string;
  at: number;
  kind: DeliveryKind;
  transport: 'http' | 'socket' | 'none';
  body: unknown;
  /**
   * The HTTP status, or 200 for an acknowledged envelope. Absent while the request is pending or when it got no
   * response.
   */
  status?: number;
  answer?: unknown;
  /** The error that the person sees: `operation_timeout` or `dispatch_failed`. */
  error?: string;
  durationMs?: number;
  retryNum?: number;
}

/** A run of a function of the app. */
export interface FunctionExecution {
  id: string;
  workflowExecutionId: string;
  function: string;
  inputs: Record<string, unknown>;
  state: 'running' | 'completed' | 'failed' | 'cancelled';
  outputs?: Record<string, unknown>;
  error?: string;
}

/** A step of a workflow: a function of the app, or a message that Slack posts. Values in braces are variables. */
export type WorkflowStep =
  | { kind: 'function'; function: string; inputs: Record<string, string | number | boolean> }
  | { kind: 'message'; text: string };

export interface Workflow {
  id: string;
  name: string;
  publisherId: string;
  /** Of the quiz in its steps, as the builder chose it. */
  quizName: string;
  steps: readonly WorkflowStep[];
  isDeleted: boolean;
}

/** A run of a workflow. Its steps are those that have begun. */
export interface WorkflowRun {
  id: string;
  workflowId: string;
  /** The person who joined the channel. */
  personId: string;
  startedMs: number;
  executionIds: string[];
  isOver: boolean;
}

export interface Link {
  label: string;
  url: string;
}

/** A command in the manifest. */
export interface CommandHelp {
  command: string;
  description: string;
  usage_hint: string;
}

/** A shortcut in the manifest. */
export interface ShortcutHelp {
  name: string;
  callback_id: string;
  description: string;
  type: 'global' | 'message';
}

export interface Options {
  options: Option[];
}
