import type { KnownBlock } from '@slack/types';
import { z } from 'zod';
import { inEnglishThroughout, withoutIsolates } from '../../domain/said.ts';
import { formatMention } from '../../operations/typed-text.ts';

/** Something that Slack delivered, read once. What a delivery of its kind does not have is undefined or empty. */
export interface Delivery {
  kind: 'command' | 'action' | 'options' | 'view' | 'shortcut' | 'event' | 'other';
  /** As Slack names it: `block_actions`, `view_submission`, …; a command has none. */
  type: string;
  /** Of its command, button, form, shortcut or event. It contains nothing that somebody typed. */
  name: string;
  /** Who acted; empty where nobody did. */
  personId: string;
  conversationId: string | undefined;
  /** The channel a person is in, in a form where they opened it; undefined in a direct message and where Slack does not say. */
  channelId: string | undefined;
  from: Origin;
  /** What lets a modal open, within 3 seconds. */
  triggerId: string | undefined;
  responseUrl: string | undefined;
  /** What was typed after a command, or into a picker. */
  text: string;
  /** The field of the picker. */
  field: string;
  pressed: Pressed | undefined;
  /** The modal or Home tab in which somebody acted. */
  view: View | undefined;
  /** The message with the button that was pressed, or on which a shortcut was used, or that a person wrote to the bot. */
  message: DeliveredMessage;
  /** Of the kinds of Slack’s events, whatever they have. */
  event: Readonly<Record<string, unknown>>;
}

/** The workspace and the Enterprise organization that a payload names. */
interface Origin {
  teamId: string | undefined;
  enterpriseId: string | undefined;
}

/** A button that was pressed, or an option of a menu that was chosen. */
export interface Pressed {
  isButton: boolean;
  actionId: string;
  blockId: string;
  value: string;
}

interface View {
  id: string;
  isModal: boolean;
  /** The operation of a form. */
  name: string;
  /** Of what it shows. */
  hash: string;
  memory: Memory;
  /** By block ID and action ID. */
  values: SubmittedValues;
}

interface DeliveredMessage {
  text: string;
  /** Undefined where it has none. */
  blocks: KnownBlock[] | undefined;
  /** Who wrote it. */
  authorId: string;
  files: unknown;
  /** Whether everybody in the conversation sees it; undefined where Slack does not say. */
  isPublic: boolean | undefined;
  /** The thread that it answers in. */
  threadTs: string | undefined;
  /** When a person wrote it to the bot, which names it within its conversation. */
  ts?: string;
}

/** Slack adds to its payloads, and anything at all can be signed: what is not as it should be is left out. */
const text = z.string().optional().catch(undefined);
const part = <Shape extends z.ZodRawShape>(shape: Shape) => z.object(shape).partial().optional().catch(undefined);
const person = z.union([z.string().transform((id) => ({ id })), z.object({ id: text, team_id: text })]);
const option = z.object({ value: text });
const listOf = <Each extends z.ZodType>(each: Each) => z.array(each).optional().catch(undefined);
const inputSchema = z.object({
  value: text,
  selected_date: text,
  selected_date_time: z.number().optional().catch(undefined),
  selected_option: option.optional().catch(undefined),
  selected_options: listOf(option),
  selected_users: listOf(z.string()),
  selected_conversation: text,
  selected_conversations: listOf(z.string()),
  files: listOf(z.object({ id: z.string(), name: text })),
});
const values = z.record(z.string(), z.record(z.string(), inputSchema));

/** What an input of a modal holds. */
export type SubmittedInput = z.infer<typeof inputSchema>;
export type SubmittedValues = Readonly<Record<string, Readonly<Record<string, SubmittedInput>>>>;

const textsSchema = z.record(z.string(), z.array(z.string()).readonly());
const memorySchema = z.object({
  place: z
    .object({
      responseUrl: z.string(),
      replacesOriginal: z.boolean(),
      isOriginalPublic: z.boolean().optional(),
      threadTs: z.string().optional(),
      channelId: z.string().optional(),
    })
    .optional(),
  hidden: textsSchema.optional(),
  before: textsSchema.optional(),
  isFull: z.boolean().optional(),
});

/**
 * What a form remembers: where its answer goes, what was entered in inputs that it does not show now (`hidden`), in the
 * form before it, which is sent with it (`before`), and whether it shows what is behind **More…** (`isFull`).
 */
export type Memory = Partial<z.infer<typeof memorySchema>>;

const bodySchema = z.object({
  type: text,
  command: text,
  text,
  value: text,
  callback_id: text,
  action_id: text,
  block_id: text,
  team: part({ id: text, enterprise_id: text }),
  team_id: text,
  enterprise: part({ id: text }),
  enterprise_id: text,
  user: person.optional().catch(undefined),
  user_id: text,
  channel: part({ id: text, name: text }),
  channel_id: text,
  channel_name: text,
  trigger_id: text,
  response_url: text,
  container: part({
    channel_id: text,
    thread_ts: text,
    message_ts: text,
    is_ephemeral: z.boolean().optional().catch(undefined),
  }),
  actions: z
    .array(
      z.object({ type: text, action_id: text, block_id: text, value: text, selected_option: part({ value: text }) }),
    )
    .optional()
    .catch(undefined),
  view: part({
    id: text,
    type: text,
    callback_id: text,
    hash: text,
    private_metadata: z.preprocess(jsonIn, memorySchema).optional().catch(undefined),
    state: part({ values: values.optional().catch(undefined) }),
  }),
  message: part({
    text,
    blocks: z.array(z.unknown()).optional().catch(undefined),
    user: text,
    files: z.unknown().optional(),
  }),
  event: z.record(z.string(), z.unknown()).optional().catch(undefined),
});

const actingSchema = z.object({
  user: person.optional().catch(undefined),
  channel: text,
  channel_id: text,
  type: text,
});

/** What the JSON says; nothing where it is none. */
function jsonIn(json: unknown): unknown {
  try {
    return JSON.parse(String(json));
  } catch {
    return undefined;
  }
}

/** Reads what Slack delivered. Nobody outside marks texts as the bot does. */
export function readDelivery(delivered: unknown): Delivery {
  const body = bodySchema.catch({}).parse(inEnglishThroughout(delivered));
  const { team, enterprise, user, channel, container, view, message, event = {} } = body;
  const [action] = body.actions ?? [];
  const ofEvent = actingSchema.catch({}).parse(event);
  const userTeam = user && 'team_id' in user ? user.team_id : undefined;
  const conversationId =
    body.channel_id ?? channel?.id ?? container?.channel_id ?? ofEvent.channel ?? ofEvent.channel_id;
  return {
    ...kindOf(body, ofEvent.type),
    type: body.type ?? 'command',
    personId: body.user_id ?? user?.id ?? ofEvent.user?.id ?? '',
    conversationId,
    channelId:
      channelOf(body.channel_id ?? channel?.id, body.channel_name ?? channel?.name) ??
      view?.private_metadata?.place?.channelId,
    // Payloads of an app that is installed for a whole organization can name the workspace of the person alone.
    from: {
      teamId: team?.id ?? body.team_id ?? userTeam,
      enterpriseId: enterprise?.id ?? body.enterprise_id ?? team?.enterprise_id,
    },
    triggerId: body.trigger_id,
    responseUrl: body.response_url,
    text: body.text ?? body.value ?? '',
    pressed: action && {
      isButton: action.type === 'button',
      actionId: action.action_id ?? '',
      blockId: action.block_id ?? '',
      value: action.selected_option?.value ?? action.value ?? '',
    },
    field: body.block_id ?? '',
    view: view && {
      id: view.id ?? '',
      isModal: view.type === 'modal',
      name: view.callback_id ?? '',
      hash: view.hash ?? '',
      memory: view.private_metadata ?? {},
      values: view.state?.values ?? {},
    },
    message: writtenIn(event) ?? {
      text: message?.text ?? '',
      blocks: message?.blocks as KnownBlock[] | undefined,
      authorId: message?.user ?? '',
      files: message?.files,
      isPublic: container?.is_ephemeral === undefined ? undefined : !container.is_ephemeral,
      threadTs: container?.thread_ts === container?.message_ts ? undefined : container?.thread_ts,
    },
    event,
  };
}

const writtenSchema = z.object({
  type: z.enum(['message', 'app_mention']),
  channel_type: text,
  channel: z.string(),
  ts: z.string(),
  user: z.string(),
  bot_id: z.undefined().optional(),
  subtype: z.enum(['file_share', 'thread_broadcast']).optional(),
  text,
  thread_ts: text,
  files: z.unknown().optional(),
});

/**
 * A message that a person wrote to the bot, in its direct messages or with a mention. Other events are about messages, such as an
 * edit, or about those of apps; in direct messages, a mention is an event beside that of the message.
 */
function writtenIn(event: unknown): DeliveredMessage | undefined {
  const { data } = writtenSchema.safeParse(event);
  if (data === undefined) return undefined;
  const { type, channel_type: place, channel, ts, user, text: said = '', thread_ts: threadTs, files } = data;
  const isToBot = type === 'message' ? place === 'im' : channelOf(channel) !== undefined;
  return isToBot
    ? { text: said, blocks: undefined, authorId: user, files, isPublic: undefined, threadTs, ts }
    : undefined;
}

/** The kinds are named as those of Bolt’s listeners are. */
function kindOf(body: z.infer<typeof bodySchema>, event: string | undefined): Pick<Delivery, 'kind' | 'name'> {
  if (body.event !== undefined) return { kind: 'event', name: event ?? '' };
  if (body.command !== undefined) return { kind: 'command', name: body.command };
  switch (body.type) {
    case 'block_actions':
      return { kind: 'action', name: body.actions?.[0]?.action_id ?? '' };
    case 'block_suggestion':
      return { kind: 'options', name: body.action_id ?? '' };
    case 'view_submission':
      return { kind: 'view', name: body.view?.callback_id ?? '' };
    case 'shortcut':
    case 'message_action':
      return { kind: 'shortcut', name: body.callback_id ?? '' };
    default:
      return { kind: 'other', name: '' };
  }
}

/**
 * What a person typed, without Slack's markup: mentions as the core reads them, links as they were typed. A name that was
 * copied from a message loses its isolates.
 * Slack escapes `&`, `<` and `>`: https://docs.slack.dev/messaging/formatting-message-text
 */
export function readMarkup(typed: string): string {
  return readMentions(withoutIsolates(typed))
    .replaceAll(
      /<((?:https?|mailto):[^<>|]*)(?:\|([^<>]*))?>/g,
      (_, address: string, label?: string) => label ?? address,
    )
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

/** `<@U123|rosa>`, `<#C123|training>` and `<!subteam^S123|@kitchen-team>` as the core reads them. */
export function readMentions(typed: string): string {
  return typed
    .replaceAll('><', '> <')
    .replaceAll(/<@([UW][A-Z0-9]+)(?:\|([^<>]*))?>/g, (_, id: string, name?: string) =>
      formatMention({ kind: 'person', id, name }),
    )
    .replaceAll(/<!subteam\^(S[A-Z0-9]+)(?:\|@?([^<>]*))?>/g, (_, id: string, name?: string) =>
      formatMention({ kind: 'usergroup', id, name }),
    )
    .replaceAll(/<#([CG][A-Z0-9]+)(?:\|([^<>]*))?>/g, (_, id: string, name?: string) =>
      formatMention({ kind: 'channel', id, name }),
    );
}

/**
 * The channel a person is in; undefined in a direct message, whose id begins with D, and in one of several people, whose name
 * begins with mpdm-. The bot is in hardly any of the latter: Slack adds people and apps to one only by making another.
 */
export function channelOf(conversationId: string | undefined, name?: string): string | undefined {
  return conversationId?.startsWith('D') || name?.startsWith('mpdm-') ? undefined : conversationId;
}
