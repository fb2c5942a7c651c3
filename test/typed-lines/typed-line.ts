import { writeTexts } from '../../src/slack/connection/outgoing.ts';
import { asSent } from '../support/as-sent.ts';
import type { ActionsBlock, InputBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import type { Execute } from '../../src/governance/perform/execute.ts';
import { resolveField, resolveLikeliest } from '../../src/governance/perform/meaning.ts';
import { inEnglish } from '../../src/domain/said.ts';
import { InvalidInputError, reasonField } from '../../src/operations/text-input.ts';
import { type Field, kindOf, type Value } from '../../src/operations/fields/fields.ts';
import type { Operation } from '../../src/operations/operation.ts';
import { readDue, readNewDue } from '../../src/features/campaigns/operations/schedule-input.ts';
import { answerCommand } from '../../src/slack/in/commands.ts';
import { readDelivery } from '../../src/slack/in/delivery.ts';
import { answerMessage } from '../../src/slack/in/messages.ts';
import { createReply, type Parts } from '../../src/slack/in/reply.ts';
import { lineActionId } from '../../src/slack/views/help.ts';
import type { Message } from '../../src/slack/views/blocks/message.ts';
import type { Permissions } from '../../src/governance/rights/permissions.ts';
import { teamId, openHouse } from '../support/house.ts';
import { campaignOf } from '../support/builders/campaigns.ts';
import { quizUser } from '../support/builders/users.ts';
import { subscription } from '../support/builders/alerts.ts';
import { respondents, sampleGroups, staff } from '../../src/sandbox/quiz-service/sample/account.ts';
import type { Quiz } from '../../src/quiz-api/records.ts';

/** What a typed line means. */
type Meaning = string;

/** The channel in which commands are typed. */
const place = 'C0TRAINING';

/** What the bot answers typed lines with, over an account in memory in which nothing is ever changed: `execute` ends where the input is resolved. */
export function openLineReader({
  quizNames = [],
  userNames = [],
}: { quizNames?: string[]; userNames?: string[] } = {}) {
  const account = openAccountOfLines();
  const { quizzes, users } = account.account;
  quizzes.push(
    ...quizNames.map((name, index) => ({
      ...quizzes[0]!,
      quiz_id: `q-more-${index}`,
      name,
    })),
  );
  users.push(
    ...userNames.map((name, index) => {
      const [first_name = '', last_name = ''] = name.split(' ');
      return { ...users[0]!, user_id: `u-more-${index}`, user_name: `more-${index}`, first_name, last_name };
    }),
  );
  let meaning: Meaning = 'nothing';
  const mean = (words: Meaning) => void (meaning = words);

  const contextFor = async (personId: string, channelId?: string) => ({
    ...(await account.readerFor(personId, channelId)),
    campaigns: account.campaigns,
  });

  const execute: Execute = async ({ operation, inputs, rescues, rivals, personId, channelId }) => {
    const context = await contextFor(personId, channelId);
    try {
      const resolved = await resolveLikeliest(operation, inputs, context, rescues, rivals);
      if (resolved.kind !== 'read') {
        if (resolved.kind === 'unclear') {
          const labels = resolved.candidates.map(({ label }) => asSent(label)).join(' | ');
          const strange = resolved.strange === undefined ? '' : `, because of “${resolved.strange}”`;
          mean(
            `${resolved.isAlike ? 'which' : 'no'} ${resolved.noun} “${resolved.typed}”${labels && `: ${labels}`}${strange}`,
          );
        }
        return resolved;
      }
      operation.check?.(resolved.input);
      mean(done(operation, resolved.input, account.clock.now));
    } catch (error) {
      if (!(error instanceof InvalidInputError)) throw error;
      return { kind: 'invalid', field: error.field, message: error.message };
    }
    return { kind: 'refused', message: 'The table runs nothing.' };
  };

  const parts = {
    client: {
      views: {
        open: async ({ view }: { view: ModalView }) => {
          mean(formWords(view));
          return { view: { id: 'V1' } };
        },
      },
      chat: {
        postMessage: async (message: Message) => {
          if (meaning === 'nothing') mean(said(message));
        },
      },
    },
    execute,
    permissions: {
      ...account.permissions,
      async readSome(operation, raw, { personId }) {
        const context = await contextFor(personId);
        const read: Record<string, Value> = {};
        for (const [name, field] of Object.entries(operation.fields)) {
          const texts = raw[name]?.filter((text) => text.trim() !== '') ?? [];
          const resolved = texts.length > 0 ? await resolveField(name, field, texts, context) : undefined;
          if (resolved?.kind === 'value') read[name] = resolved.value;
        }
        return read;
      },
    } satisfies Permissions,
    directory: account.directory,
    findCompanies: async () => [],
    answerAt: async (_target: unknown, message: Message) => {
      if (meaning === 'nothing') mean(said(message));
    },
    botUserId: () => 'U0BOT',
    commandPrefix: 'quiz',
    timeZone,
    sleep: () => new Promise<void>(() => {}),
    logAndExplain(error: unknown) {
      throw error;
    },
  } as unknown as Parts;

  return {
    /** @param line as `erin> /quiz assign fire to me`; without a name, Ada types it, and without a slash, she writes it to the bot */
    async read(line: string): Promise<Meaning> {
      const [, who = 'ada', written = ''] = /^(?:(\w+)> )?(.*)$/.exec(line) ?? [];
      const [, command = '', text = ''] = /^(\/\S+) ?(.*)$/.exec(written) ?? [];
      meaning = 'nothing';
      if (command === '') {
        const user = `U${who.toUpperCase()}`;
        const event = { type: 'message', channel_type: 'im', channel: `D${who}`, ts: '1.1', user, text: written };
        const message = readDelivery({ event });
        await answerMessage(parts, message, createReply(parts, message, teamId));
        return inEnglish(meaning).replace(/^says: ⚠️ /, 'says: ');
      }
      const delivery = readDelivery({
        command,
        text,
        user_id: `U${who.toUpperCase()}`,
        channel_id: place,
        trigger_id: 't',
        response_url: 'r',
      });
      await answerCommand(parts, delivery, createReply(parts, delivery, teamId));
      return inEnglish(meaning).replace(/^says: ⚠️ /, 'says: ');
    },
  };
}

function done(operation: Operation, input: Readonly<Record<string, Value>>, nowMs: number): Meaning {
  const words = Object.entries(operation.fields).flatMap(([name, field]) => {
    const value = input[name];
    if (value === undefined) return [];
    const isElsewhere = typeof value === 'object' && 'channel_id' in value && value.channel_id !== place;
    if (kindOf(field).followsFromPlace !== (field.kind === 'subscription') && !isElsewhere) return [];
    return [`${name} = ${valueWords(name, field, value, nowMs)}`];
  });
  return words.length === 0 ? operation.name : `${operation.name}: ${words.join('; ')}`;
}

function valueWords(name: string, field: Field, value: Value, nowMs: number): string {
  if (typeof value === 'string' && field.label === 'New due time')
    return wallTime(readNewDue(value, campaignOf().rule.dueAt, { nowMs, timeZone })!);
  if (typeof value === 'string' && name === 'due') return wallTime(readDue(value, name, { nowMs, timeZone }));
  return typeof value === 'object' && 'subscription' in value
    ? (value.subscription.quiz?.name ?? 'all')
    : kindOf(field).describe(value, field);
}

function wallTime(atMs: number): string {
  return new Date(atMs).toLocaleString('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
}

const optionSchema = z.object({ text: z.object({ text: z.string() }) });
const filledSchema = z.object({
  initial_value: z.string().optional(),
  initial_date: z.string().optional(),
  initial_conversation: z.string().optional(),
  initial_users: z.array(z.string()).optional(),
  initial_conversations: z.array(z.string()).optional(),
  initial_option: optionSchema.optional(),
  initial_options: z.array(optionSchema).optional(),
});

function formWords(view: ModalView): Meaning {
  const { callback_id = '', blocks } = writeTexts(view, asSent);
  if (callback_id === '') return `says: ${blockWords(blocks)}`;
  const inputs = blocks.filter((block): block is InputBlock => block.type === 'input');
  const filled = inputs.flatMap(({ block_id = '', element }) => {
    const { initial_option: option, initial_options: options = [], ...texts } = filledSchema.parse(element);
    const words = [
      ...Object.values(texts).flat(),
      ...[...(option ? [option] : []), ...options].map(({ text }) => text.text),
    ].join(', ');
    return words === '' || block_id === reasonField ? [] : [`${block_id} = ${words}`];
  });
  const notice = blockWords(blocks.filter(({ type }) => type !== 'input'));
  return `form ${callback_id}: ${[...filled, ...(notice === '' ? [] : [notice.trim()])].join('; ')}`;
}

function said(message: Message): Meaning {
  const { text, blocks } = writeTexts({ text: message.text, blocks: message.blocks }, asSent);
  const buttons = blocks
    .filter((block): block is ActionsBlock => block.type === 'actions')
    .flatMap(({ elements }) => elements.filter((element) => element.type === 'button'))
    .filter(({ action_id = '' }) => action_id.startsWith(lineActionId) && !action_id.endsWith(':all'));
  if (buttons.length === 0) return `says: ${text.replace(/^⚠️ /, '').replaceAll('`', '')}`;
  return `offers: ${buttons
    .map(({ text: label, value = '', confirm }) => {
      const { command, text: line } = JSON.parse(value) as { command: string; text: string };
      return `[${label.text}${confirm ? '?' : ''}] ${command} ${line}`;
    })
    .join(' | ')}`;
}

function blockWords(blocks: readonly { type: string }[]): string {
  return blocks.map((block) => ('text' in block ? (block.text as { text: string }).text : '')).join(' ');
}

/** Wednesday, 25 November 2026, 11:00 in Berlin. */
const now = Date.parse('2026-11-25T10:00:00Z');
export const timeZone = 'Europe/Berlin';

const quiz = (quiz_id: string, name: string, more: Partial<Quiz> = {}): Quiz => ({
  quiz_id,
  name,
  status: 'open',
  date_created: new Date('2025-03-03T10:00:00Z'),
  ...more,
});

/** The sample account of the sandbox, two quizzes called “Ladder check”, two users called Kim Lee, a campaign and a subscription. */
export function openAccountOfLines() {
  const account = openHouse({
    subscriptions: [
      {
        subscription: subscription({ channelId: 'C0TRAINING', quiz: { id: 'q-food', name: 'Food hygiene, level 2' } }),
        waiting: 0,
      },
    ],
  });
  account.clock.now = now;
  const { users, quizzes, groups } = account.account;
  const known = sampleGroups.map((group_name, index) => ({ group_id: `g-${index}`, group_name }));
  groups.splice(0, groups.length, ...known);
  users.splice(
    0,
    users.length,
    ...[...staff, ...respondents].map((person) =>
      quizUser({
        email_address: '',
        ...person,
        user_id: `u-${person.first_name.toLowerCase()}`,
        groups: known.filter(({ group_name }) => group_name === person.organization),
      }),
    ),
    ...['kim.lee@quiz.example', 'kim2@quiz.example'].map((user_name, index) =>
      quizUser({
        user_id: `u-kim${index}`,
        user_name,
        email_address: '',
        first_name: 'Kim',
        last_name: 'Lee',
        groups: [known[index]!],
      }),
    ),
  );
  quizzes.splice(
    0,
    quizzes.length,
    quiz('q-workplace', 'Workplace safety basics'),
    quiz('q-food', 'Food hygiene, level 2'),
    quiz('q-data', 'Data protection refresher'),
    quiz('q-onboarding', 'Onboarding, week 1'),
    quiz('q-forklift', 'Forklift theory test'),
    quiz('q-fire', 'Fire wardens, spring course'),
    quiz('q-aid', 'First aid at work', { status: 'closed' }),
    quiz('q-ladder-1', 'Ladder check'),
    quiz('q-ladder-2', 'Ladder check', { status: 'in_design', date_created: new Date('2026-11-09T10:00:00Z') }),
  );
  const campaign = campaignOf({ quiz: { id: 'q-workplace', name: 'Workplace safety basics' } });
  const campaigns = {
    all: async () => [{ ...campaign, leads: [] }],
    byId: async (id: string) => (id === campaign.id ? campaign : undefined),
    start: async () => ({ id: campaign.id, isNew: true }),
    takeIn: async () => {},
    put: async () => {},
    putRead: async () => {},
    readNow: async () => {
      throw new Error('no line reads how a campaign is');
    },
    offer: async () => true,
    handOver: async () => true,
    noticedAt: async () => new Map<string, never>(),
    withRule: () => ({ campaign, sooner: [] }),
    redrawBoards: async () => {},
  };
  return { ...account, campaigns };
}
