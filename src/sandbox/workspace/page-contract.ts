import { z } from 'zod';
import { inputState } from './block-kit/elements.ts';
import { locales } from './locales.ts';
import type { Channel, CommandHelp, Link, Message, Notice, Person, ShortcutHelp, UserGroup, View } from './model.ts';

/** Everything that the page shows to one person. */
export interface PageState {
  teamName: string;
  me: Person;
  people: Person[];
  channels: Channel[];
  userGroups: UserGroup[];
  direct: Channel;
  /** The conversations of the other people with the bot, with the messages that the bot sent there. */
  othersDirect: { person: Person; channel: string; sent: string[] }[];
  botUserId: string;
  botName: string;
  isBotConnected: boolean;
  messages: Record<string, Message[]>;
  stack: View[];
  home: View | null;
  notices: Notice[];
  commands: CommandHelp[];
  shortcuts: ShortcutHelp[];
  hasHome: boolean;
  /** The person’s conversation with Slackbot, and the menu of tools below it. Null if the app has no tools for it. */
  slackbot: { conversation: Channel; home: View | null } | null;
  /** Workflow Builder. Null if the app has no functions. */
  workflow: { home: View | null } | null;
  links: Link[];
  /** Milliseconds since 1970. */
  nowMs: number;
  canSkip: boolean;
  skipping: { fromMs: number; toMs: number } | null;
  /** The next due time that a board shows. */
  deadlineMs: number | null;
  /** Null where none was started. The page starts as this person, in this channel. */
  tour: { start: { person: string; channel: string }; steps: TourStep[] } | null;
}

interface TourStep {
  title: string;
  /** In mrkdwn. */
  text: string;
  isDone: boolean;
}

/** A file that a person has uploaded on the page. */
export interface PageFile {
  id: string;
  name: string;
  size: number;
}

const where = z.union([z.object({ channel: z.string(), ts: z.string() }), z.object({ view: z.string() })]);
const what = z.object({ block: z.string(), action: z.string() });
const values = z.record(z.string(), z.record(z.string(), inputState));

const longestSkipMs = 7 * 24 * 60 * 60_000;

/** What a person can do on the page. `values` is the input state of the view. */
export const pageActionSchema = z.discriminatedUnion('do', [
  z.object({
    do: z.literal('say'),
    channel: z.string(),
    text: z.string(),
    threadTs: z.string().optional(),
    files: z.array(z.object({ id: z.string() })).optional(),
  }),
  z.object({ do: z.literal('command'), channel: z.string(), text: z.string().min(1) }),
  z.object({ do: z.literal('shortcut'), callbackId: z.string() }),
  z.object({ do: z.literal('messageShortcut'), callbackId: z.string(), channel: z.string(), ts: z.string() }),
  z.object({ do: z.literal('click'), where, what, value: z.union([z.string(), inputState]).nullable(), values }),
  z.object({ do: z.literal('options'), where, what, query: z.string() }),
  z.object({ do: z.literal('submit'), view: z.string(), values }),
  z.object({ do: z.literal('close'), view: z.string(), all: z.boolean() }),
  z.object({ do: z.literal('home') }),
  z.object({ do: z.literal('setLocale'), locale: z.enum(Object.keys(locales)) }),
  z.object({ do: z.literal('openOwn'), app: z.enum(['slackbot', 'workflow']) }),
  z.object({ do: z.literal('skip'), ms: z.number().int().positive().max(longestSkipMs) }),
]);

export type PageAction = z.infer<typeof pageActionSchema>;
