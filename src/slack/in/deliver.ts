import type Keyv from 'keyv';
import { say } from '../../domain/said.ts';
import type { OneAtATime } from '../../storage/leases.ts';
import type { Audit } from '../../governance/audit/record.ts';
import { type Log, beginWork, currentCorrelationId } from '../../observability/log.ts';
import type { Clock } from '../../time/clock.ts';
import type { InFlight } from '../../time/timers.ts';
import { type OutgoingTexts, whileActing } from '../connection/outgoing.ts';
import type { SlackMetrics } from '../metrics.ts';
import type { OwnWorkspace } from '../people/people.ts';
import { readDelivery, type Delivery } from './delivery.ts';
import { cancelActionId } from '../views/outcome.ts';
import { moreActionId } from '../form/form.ts';
import { inputActionId } from '../form/inputs.ts';
import { textMessage, linkActionId } from '../views/blocks/message.ts';
import { commandsActionId, lineActionId } from '../views/help.ts';
import { passwordsPrintedActionId, printPasswordsActionId, showPasswordActionId } from '../views/users/password.ts';
import { answerCommand, typeLine } from './commands.ts';
import { events } from './events.ts';
import { formNames, redrawForm, submitForm } from './forms.ts';
import { answerMessage } from './messages.ts';
import {
  cancel,
  findAuthor,
  importMessage,
  openCommands,
  openShortcut,
  press,
  pressedIds,
  printPasswords,
  showPassword,
  suggest,
} from './presses.ts';
import { createReply, type Parts, type Reply } from './reply.ts';

/** What arrives over HTTP or Socket Mode. Slack takes one answer within 3 seconds. */
export interface Arrival {
  body: unknown;
  ack: (answer?: unknown) => void | Promise<void>;
}

/** Resolves when the arrival is dealt with. What nobody takes is not acknowledged. */
export type Deliver = (arrival: Arrival) => Promise<void>;

/** Does what a delivery asks for. A second acknowledgement is none. @param teamId of the bot’s own workspace, once it is known */
export type Take = (delivery: Delivery, teamId: string, ack: (answer?: unknown) => Promise<void>) => Promise<void>;

export interface DeliverParts {
  /** The bot’s own workspace; undefined while Slack has not said which it is. */
  ownWorkspace: () => Promise<OwnWorkspace | undefined>;
  audit: Audit;
  outgoingTexts: Pick<OutgoingTexts, 'inAcknowledgement'>;
  /** Deliveries that wait for their acknowledgement. */
  unacknowledged: InFlight;
  inFlight: Pick<InFlight, 'track'>;
  answered: AnsweredMessages;
  metrics: Pick<SlackMetrics, 'acknowledgements'>;
  /** Called with what a handler threw. */
  onError: (error: unknown) => void;
  clock: Pick<Clock, 'now' | 'setTimer'>;
  log: Log;
}

/** Where it is known which messages were answered. */
interface AnsweredMessages {
  oneAtATime: Pick<OneAtATime, 'inTurn'>;
  known: Keyv<true>;
}

/** Slack can deliver events late, up to a day: by then, nobody waits for the answer. */
const answeredWithinMs = 10 * 60_000;
/** Longer than a message is answered at all. */
const knownForMs = 15 * 60_000;
/** Slack waits 3 s. */
const acknowledgedWithinMs = 2_000;

/**
 * Reads everything that Slack delivers, once, and hands it to whatever takes it: as a piece of work of its own, of which each
 * call of Slack knows who acted, and whose acknowledgement is measured, waited for when the bot stops, and written for the person.
 */
export function createDeliver(parts: DeliverParts, take: Take): Deliver {
  const { outgoingTexts, unacknowledged, inFlight, metrics, clock, log } = parts;

  return async (arrival) => {
    const delivery = readDelivery(arrival.body);
    const { kind, name } = delivery;
    const { promise, resolve } = Promise.withResolvers<void>();
    await beginWork(kind, async () => {
      const begin = performance.now();
      let acknowledgedMs: number | undefined;
      let isAcknowledged = false;
      const ack = async (answer?: unknown) => {
        if (isAcknowledged) return;
        isAcknowledged = true;
        await arrival.ack(await outgoingTexts.inAcknowledgement(answer));
        acknowledgedMs = performance.now() - begin;
        metrics.acknowledgements.observe({ kind }, acknowledgedMs / 1000);
        resolve();
      };
      log.debug({ name }, 'Slack delivers');
      void unacknowledged.track(promise);
      await whileActing(delivery, async () => once(delivery, ack, async () => admit(delivery, ack))).finally(resolve);
      log.debug(
        { name, acknowledgedMs: rounded(acknowledgedMs), durationMs: rounded(performance.now() - begin) },
        'dealt with what Slack delivered',
      );
    });
  };

  /**
   * Refuses what comes from other workspaces than the bot’s own and those of its Enterprise organization, and records it. What an
   * organization of ours sends belongs to the bot’s own workspace.
   * https://docs.slack.dev/enterprise/developing-for-enterprise-orgs
   */
  async function admit(delivery: Delivery, ack: (answer?: unknown) => Promise<void>): Promise<void> {
    const { kind, type, personId, from, message } = delivery;
    // Events are acknowledged before anything is done, save messages, which are answered first, and steps of workflows, which are stored.
    if (kind === 'event' && message.ts === undefined && delivery.name !== 'function_executed') await ack();
    const own = await parts.ownWorkspace();
    const isOwnEnterprise = from.enterpriseId !== undefined && from.enterpriseId === own?.enterpriseId;
    if (!own?.teamId || from.teamId === undefined || from.teamId === own.teamId || isOwnEnterprise) {
      const work = take(delivery, own?.teamId ?? from.teamId ?? '', ack).catch(parts.onError);
      await inFlight.track(work);
      return;
    }
    // Without an acknowledgement, Slack shows the person an error of the bot.
    await ack(
      kind === 'command' ? { response_type: 'ephemeral', text: 'This bot serves another workspace.' } : undefined,
    );
    await parts.audit(own.teamId, {
      at: clock.now(),
      correlationId: currentCorrelationId(),
      by: personId === '' ? undefined : personId,
      operation: 'enter',
      action: 'refused',
      through: type,
      message: `It came from the workspace ${from.teamId.slice(0, 30)}.`,
    });
  }

  /**
   * Has each message answered once, however often Slack delivers it, to whichever instance, and over restarts.
   *
   * A message is acknowledged once it is answered, or after two seconds. Where an instance dies before that, Slack delivers the
   * message again at once, after one minute and after five, and it is answered then. A delivery that finds another instance at
   * work waits for its turn, and answers only where that one died. An instance that dies between its answer and the note of it
   * has the person read the answer twice; nothing changes twice, because a message never changes anything.
   */
  async function once(
    { kind, message, conversationId }: Delivery,
    ack: () => Promise<void>,
    deal: () => Promise<void>,
  ): Promise<void> {
    if (kind !== 'event' || message.ts === undefined) return deal();
    if (clock.now() - Number(message.ts) * 1_000 > answeredWithinMs) return ack();
    const stopWaiting = clock.setTimer(() => {
      ack().catch((error: unknown) => log.warn({ error }, 'a message could not be acknowledged'));
    }, acknowledgedWithinMs);
    await answerOnce(`${conversationId ?? ''} ${message.ts}`, deal).finally(stopWaiting);
    await ack();
  }

  async function answerOnce(key: string, answer: () => Promise<void>): Promise<void> {
    const { oneAtATime, known } = parts.answered;
    let isBegun = false;
    try {
      await oneAtATime.inTurn(`message/${key}`, async () => {
        if (await known.get(key)) return;
        isBegun = true;
        await answer();
        await known.set(key, true, knownForMs);
      });
    } catch (error) {
      // The answer says what is wrong with the store, if it needs it.
      log.warn({ error }, 'the store does not say whether a message was answered before');
      if (!isBegun) await answer();
    }
  }
}

function rounded(ms: number | undefined): number | undefined {
  return ms === undefined ? undefined : Math.round(ms * 10) / 10;
}

type Ack = (answer?: object) => Promise<void>;
type Handle = (parts: Parts, delivery: Delivery, reply: Reply, ack: Ack) => Promise<void>;
type Entry = readonly [names: RegExp, handle: Handle];

const named = (...names: readonly string[]) => new RegExp(`^(?:${names.join('|')})$`);

/** What takes the deliveries of people, by kind and name. These are acknowledged at once. */
const acknowledged: Readonly<Partial<Record<Delivery['kind'], readonly Entry[]>>> = {
  command: [[/^\//, answerCommand]],
  action: [
    [pressedIds, press],
    [new RegExp(`^${lineActionId}:`), typeLine],
    [new RegExp(`^${linkActionId}:`), async () => {}],
    [named(cancelActionId), cancel],
    [named(inputActionId, moreActionId), redrawForm],
    [named(commandsActionId), openCommands],
    [named(showPasswordActionId), showPassword],
    [named(printPasswordsActionId), printPasswords],
    [named(passwordsPrintedActionId), printPasswords],
  ],
  shortcut: [
    [named('find-in-quiz'), findAuthor],
    [named('import-message'), importMessage],
    [formNames, openShortcut],
  ],
};

/** These acknowledge with what people see. */
const answering: typeof acknowledged = {
  options: [[named(inputActionId), suggest]],
  view: [[formNames, submitForm]],
};

/** The change is made, and only its answer failed. */
const answerLost = say`Slack didn’t confirm the bot’s answer. Your change may be made, so check before you try again.`;

/** Hands each delivery to what takes it. Whoever acted gets an answer, whatever goes wrong. */
export function createTake(parts: Parts): Take {
  const find = (table: typeof acknowledged, { kind, name }: Delivery) =>
    table[kind]?.find(([names]) => names.test(name))?.[1];

  return async (delivery, teamId, ack) => {
    const { kind, name, event, message } = delivery;
    if (kind === 'event' && message.ts === undefined)
      return name === 'function_executed' ? parts.takeFunction(event, ack) : events[name]?.(parts, event);
    const quick = kind === 'event' ? answerMessage : find(acknowledged, delivery);
    const handle = quick ?? find(answering, delivery);
    if (handle === undefined) return;
    const reply = createReply(parts, delivery, teamId);
    let isChanged = false;
    const execute: Parts['execute'] = async (request) => {
      const outcome = await parts.execute(request);
      isChanged ||= request.operation.access !== 'read' && (outcome.kind === 'done' || outcome.kind === 'requested');
      return outcome;
    };
    try {
      if (quick && kind !== 'event') await ack();
      await handle({ ...parts, execute }, delivery, reply, ack);
    } catch (error) {
      const explained = parts.logAndExplain(error);
      await reply.show(textMessage('⚠️', isChanged ? answerLost : explained));
    }
  };
}
