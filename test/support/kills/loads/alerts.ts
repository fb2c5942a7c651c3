import { setTimeout as pause } from 'node:timers/promises';
import type { Message } from '../../../../src/sandbox/workspace/model.ts';
import type { Workspace } from '../../../../src/sandbox/workspace/workspace.ts';
import {
  addAccountPerson,
  openProcessTestBed,
  planQuizChannels,
  type ProcessTestBed,
  type QuizChannel,
} from '../../process-test-bed.ts';
import { compareDelivery, countAnnounced, readAnnouncements, type Sending } from '../../delivery-report.ts';
import { numberedName, numberOfName, numberedSubmission, sign, webhookSecret } from '../../event.ts';
import { fastProcessClock } from '../../fast-clock.ts';
import { type Load, type MakeKillTest, failByChance } from '../run-kills.ts';
import { untilDone } from '../../watchdog.ts';
import { Agent, request } from 'undici';
import type { SeededRandom } from '../../../../src/sandbox/quiz-service/sample/seeded-random.ts';

/** Sends webhooks as the quiz service does: it repeats an event with the same id until the response is 200. */
export interface WebhookSender {
  /** Resolves when the bot has accepted the event of the respondent with this number. */
  send(number: number): Promise<void>;
  /** Every event sent, by respondent name. `takenAt` is Infinity until the bot has accepted the event. */
  readonly sendings: ReadonlyMap<string, Sending>;
  /** The number of deliveries without a 200. */
  readonly redelivered: number;
  /** The statuses of deliveries without a 200; none where nobody answered. */
  readonly refusals: readonly number[];
  close(): Promise<void>;
}

const maxRetryDelayMs = 300;
const replayShare = 0.05;
const timeoutMs = 5_000;
const ofSingleBot = { path: '/webhooks/quiz', secret: webhookSecret };

export function createWebhookSender(options: {
  /** Returns the URL of the bot for the next delivery. */
  target: () => string;
  /** Returns the quiz of the respondent with this number. */
  quizOf: (number: number) => { id: string; name: string };
  /** Returns the id of the user with this number; null for a guest. Default: guests. */
  userOf?: (number: number) => string | null;
  /** Where a bot takes webhooks, and with which secret. Default: those of a single bot. */
  webhook?: { path: string; secret: string } | undefined;
  random: SeededRandom;
}): WebhookSender {
  const { target, quizOf, userOf = () => null, random, webhook: { path, secret } = ofSingleBot } = options;
  const agent = new Agent({ connections: 32 });
  const sendings = new Map<string, Sending>();
  const refusals: number[] = [];
  let redelivered = 0;

  async function deliver(number: number, deliveryAttempt: number): Promise<boolean> {
    const body = numberedSubmission(number, { quiz: quizOf(number), userId: userOf(number), deliveryAttempt });
    try {
      const answer = await request(target() + path, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json; charset=utf-8', 'x-webhook-signature': sign(body, secret) },
        dispatcher: agent,
        signal: AbortSignal.timeout(timeoutMs),
      });
      await answer.body.dump();
      if (answer.statusCode !== 200) refusals.push(answer.statusCode);
      return answer.statusCode === 200;
    } catch {
      return false;
    }
  }

  return {
    async send(number) {
      const sending: Sending = { sentAt: performance.now(), takenAt: Infinity };
      sendings.set(numberedName(number), sending);
      let attempt = 1;
      for (; !(await deliver(number, attempt)); attempt += 1) {
        redelivered += 1;
        await pause(random.between(1, maxRetryDelayMs));
      }
      sending.takenAt = performance.now();
      // A quiz service that misses the 200 sends an accepted event again.
      if (random.number() < replayShare) await deliver(number, attempt + 1);
    },
    sendings,
    refusals,
    get redelivered() {
      return redelivered;
    },
    close: () => agent.destroy(),
  };
}

interface AlertsOptions {
  events: number;
  /** Sends the results to this many respondents instead of channels: each event is announced once, to its respondent. */
  respondents?: number;
  /** Makes Slack return random 429s and 500s, drop connections, and lose responses after accepting messages. */
  slackFails?: boolean;
  /** How much faster than the system's the time of the bots and of Slack runs: a bot looks for 40 seconds for a message whose answer was lost. Default: 1. */
  clockRate?: number;
}

/** Each channel subscribes to its own quiz and ALERTS_CHANNEL to every quiz, so two messages announce each event. */
const quizChannels = planQuizChannels(4);
/** Both shorter and longer than a bot waits before it looks up a message. */
const betweenKillsMs = { min: 50, max: 3_500 };
/** Sending time per kill, including the restart. */
const msPerKill = 2_500;
const faultyMethods = ['chat.postMessage', 'conversations.history', 'users.lookupByEmail', 'conversations.open'];

/** Bots announce events once and in order, in channels or to respondents. */
export function alertsKilled({ events, respondents, slackFails, clockRate = 1 }: AlertsOptions): MakeKillTest {
  return (random, { kills }) => {
    let sender: WebhookSender | undefined;
    return {
      clock: clockRate === 1 ? undefined : fastProcessClock(clockRate),
      open: (shared) =>
        openProcessTestBed({
          ...shared,
          ...(respondents === undefined ? { quizChannels } : { env: { ALERTS_CHANNEL: '' } }),
        }),
      kills: {
        moments: { after: 'a pause', ms: betweenKillsMs },
        ways: [{ cutStarts: 0.25 }, { atCall: 'chat.postMessage', cutStarts: 0.25 }],
      },
      begin(testBed) {
        const { workspace, bots } = testBed;
        const conversations = respondents === undefined ? channelsIn(workspace) : addRespondents(testBed, respondents);
        sender = createWebhookSender({
          target: () => random.pick(bots).url,
          // A direct message names the quiz alone.
          quizOf: (number) =>
            respondents === undefined ? quizChannelOf(number).quiz : { id: 'q-1', name: numberedName(number) },
          userOf: (number) => (respondents === undefined ? null : respondentId(number % respondents)),
          random,
        });
        if (slackFails) failByChance(workspace, random, { methods: faultyMethods, share: 0.06 });
        const pauseMs = (kills * msPerKill) / events;
        return announcingLoad({ conversations, sender, events, copies: respondents === undefined ? 2 : 1, pauseMs });
      },
      close: () => sender?.close(),
    };
  };
}

/** Sends events one after the other, and judges where each is announced. */
export function announcingLoad(run: {
  conversations: readonly Conversation[];
  sender: WebhookSender;
  events: number;
  /** The number of the first event. Default: 1. */
  first?: number;
  /** The messages that announce each event. */
  copies: number;
  pauseMs: number;
}): Load {
  const { conversations, sender, events, first = 1, copies, pauseMs } = run;
  const done = () => countAnnounced(conversations.flatMap(({ messages }) => readAnnouncements(messages())));
  const taken = () => sender.sendings.values().reduce((sum, { takenAt }) => sum + Number(takenAt < Infinity), 0);
  return {
    done,
    isWaiting: () => done() < copies * taken(),
    async send() {
      const begin = performance.now();
      const sent: Promise<void>[] = [];
      for (let count = 0; count < events; count += 1) {
        const dueMs = begin + (count + 1) * pauseMs;
        if (dueMs > performance.now()) await pause(dueMs - performance.now());
        sent.push(sender.send(first + count));
      }
      await Promise.all(sent);
    },
    over: () => untilDone(done, copies * events),
    judge() {
      const reports = conversations.map(({ messages, isFor }) =>
        compareDelivery(
          readAnnouncements(messages()),
          new Map([...sender.sendings].filter(([name]) => isFor(numberOfName(name)))),
        ),
      );
      const sum = (key: 'unnamed' | 'messages') => reports.reduce((total, report) => total + report[key], 0);
      return {
        lost: reports.flatMap(({ lost }) => lost),
        doubled: reports.flatMap(({ duplicated }) => duplicated),
        wrong: reports.flatMap(({ outOfOrder }) => outOfOrder.map((name) => `${name} out of order`)),
        figure: `${events} events in ${sum('messages')} messages, ${sum('unnamed')} only counted, ${sender.redelivered} redelivered`,
      };
    },
  };
}

const quizChannelOf = (number: number): QuizChannel => quizChannels[number % quizChannels.length]!;

/** A channel, or the bot's direct messages with a person, and the numbers of the events that belong there. */
interface Conversation {
  messages: () => readonly Message[];
  isFor: (number: number) => boolean;
}

function channelsIn(workspace: Workspace): Conversation[] {
  const own = quizChannels.map((quizChannel) => ({
    messages: () => workspace.messages(quizChannel.channel.id),
    isFor: (number: number) => quizChannelOf(number) === quizChannel,
  }));
  return [{ messages: () => workspace.messages(workspace.channels.results.id), isFor: () => true }, ...own];
}

const respondentId = (index: number) => `u-respondent-${index}`;

/** Adds people to the workspace and to the account. The bots learn of them by asking the quiz service. */
function addRespondents(testBed: ProcessTestBed, count: number): Conversation[] {
  return Array.from({ length: count }, (_, index) => {
    const personId = `U0RESPONDENT${index}`;
    addAccountPerson(testBed, { personId, userId: respondentId(index) });
    return {
      messages: () => testBed.workspace.directMessages(personId),
      isFor: (number: number) => number % count === index,
    };
  });
}
