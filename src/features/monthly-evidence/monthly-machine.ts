import type { AuditEntry } from '../../domain/audit-chain.ts';
import type { EvidenceOrder, NoEvidence } from '../../domain/evidence-order.ts';
import type { NewQueueEntry } from '../../domain/queue-entry.ts';
import { directMessages, managerQueue } from '../../domain/queue-names.ts';
import { graceEndsAt, nextLookAt } from '../../durable/look-up.ts';
import type { Keep, Machine, Step, View } from '../../durable/machine.ts';
import { restFor, restsUntil } from '../../durable/rest.ts';
import type { OutgoingFile } from '../../operations/services/files.ts';
import { nextWorkingMoment, type Holidays } from '../../time/working-hours.ts';
import { dueAfter } from './months.ts';
import { sentEntry, missingEntry } from './monthly-record.ts';
import { eventsIn, freshMonthly, ordersAfter, type MonthlyState, type Sending } from './monthly-state.ts';

/** The pack of an order for its month, or why there is none. `askAgainAt`: in milliseconds since the epoch. */
export type MonthlyPack =
  | { kind: 'pack'; file: OutgoingFile; people: number }
  | { kind: 'none'; why: NoEvidence }
  | { kind: 'later'; askAgainAt: number };

/** What came of a file: whether it is there, or why not. `unclear`: it may be there, and is looked for. */
export type SendAnswer = 'sent' | 'closed' | 'unclear' | { retryAfterMs: number };

type SendDeed = Sending & { file?: OutgoingFile; people?: number };

interface MonthlyFacts {
  /** Of the order that is due. */
  pack: MonthlyPack;
  isRecorded: true;
}

type MonthlyView = View<MonthlyState, MonthlyFacts>;
type MonthlyStep = Step<MonthlyState, MonthlyFacts, SendDeed>;

const eventsAtMost = 100;
/** After the last look for a file that is not there: to make the pack again costs requests. */
const sendsAgainAfterMs = 5 * 60_000;

/**
 * Sends people their packs, one after the other: each once for a month, on its first working day. That a file is under way is
 * kept before it is sent, so one whose answer is lost is looked for in the conversation.
 */
export function monthlyMachine(deps: {
  /** Makes a pack by what both people may see at that moment. */
  packOf: (teamId: string, order: EvidenceOrder) => Promise<MonthlyPack>;
  send: (personId: string, file: OutgoingFile) => Promise<SendAnswer>;
  /** Whether a file that was sent since a moment is there. Rejects where the platform does not say. */
  isThere: (sending: Sending) => Promise<boolean>;
  /** Puts an entry on the audit trail. It can run twice for one. */
  record: (teamId: string, entry: AuditEntry) => Promise<void>;
  holidays: Holidays;
}): Machine<MonthlyState, MonthlyFacts, SendDeed, SendAnswer> {
  const { holidays } = deps;

  function step(view: MonthlyView): MonthlyStep {
    const { state = freshMonthly, mail, facts, now } = view;
    if (mail.length > 0)
      return {
        kind: 'keep',
        state: { ...state, orders: ordersAfter(state.orders, eventsIn(mail)) },
        take: mail.map(({ position }) => position),
      };
    if (state.unrecorded !== undefined)
      return facts.isRecorded
        ? { kind: 'keep', state: { ...state, unrecorded: undefined } }
        : { kind: 'ask', for: 'isRecorded' };
    if (state.sending !== undefined) {
      const graceUntil = graceEndsAt(state.sending.startedAt, now);
      return graceUntil === undefined ? { kind: 'look', deed: state.sending } : { kind: 'rest', until: graceUntil };
    }
    const next = nextOf(state, now);
    if (next === undefined || next.at > now) return { kind: 'rest', until: next?.at };
    const { pack } = facts;
    if (pack === undefined) return { kind: 'ask', for: 'pack' };
    switch (pack.kind) {
      case 'later':
        return keepResting(state, pack.askAgainAt - now, now);
      case 'none':
        return afterNone(state, next.order, pack.why, view);
      case 'pack': {
        const { file, people } = pack;
        const sending = { orderId: next.order.id, to: next.order.to, fileName: file.name, startedAt: now };
        return {
          kind: 'do',
          deed: { ...sending, file, people },
          keep: { kind: 'keep', state: { ...state, sending } },
        };
      }
    }
  }

  /** The order whose pack is due first, and when it is sent: later, where the bot stood still until the evening. */
  function nextOf({ orders }: MonthlyState, now: number): { order: EvidenceOrder; at: number } | undefined {
    return orders
      .map((order) => {
        const dueAt = dueAfter(order.month, order.timeZone, holidays);
        return { order, at: nextWorkingMoment(Math.max(dueAt, now), order.timeZone, holidays) };
      })
      .toSorted((one, other) => one.at - other.at)[0];
  }

  return {
    mailAtMost: eventsAtMost,
    needsPlatform: true,
    isBusy: ({ orders, unrecorded, sending }) => orders.length > 0 || unrecorded !== undefined || sending !== undefined,
    restsUntil,
    step,
    facts: {
      pack: async ({ mailbox: { teamId }, state = freshMonthly, now }) =>
        deps.packOf(teamId, nextOf(state, now)!.order),
      async isRecorded({ mailbox: { teamId }, state }) {
        for (const entry of state?.unrecorded ?? []) await deps.record(teamId, entry);
        return true;
      },
    },
    deeds: {
      do: async ({ to, file }) => deps.send(to, file!),
      look: async (sending) => ((await deps.isThere(sending)) ? 'sent' : undefined),
      settle(deed, answer, view) {
        const { state, now } = view;
        const order = state.orders.find(({ id }) => id === deed.orderId);
        const settled = { ...state, sending: undefined };
        if (answer === 'sent') {
          const entry = order && sentEntry(order, deed.people, now);
          return {
            kind: 'keep',
            state: { ...nextMonth(settled, deed.orderId), ...(entry && { unrecorded: [entry] }) },
          };
        }
        if (answer === 'closed' && order !== undefined) return afterNone(settled, order, 'unreachable', view);
        if (answer === undefined || answer === 'unclear') {
          const at = nextLookAt(deed.startedAt, now);
          return at === undefined ? keepResting(settled, sendsAgainAfterMs, now) : { kind: 'keep', state, at };
        }
        return keepResting(settled, answer === 'closed' ? 0 : answer.retryAfterMs, now);
      },
    },
  };
}

/** There is no pack for the month: the people read why. An order for one campaign ends with it. */
function afterNone(
  state: MonthlyState,
  order: EvidenceOrder,
  why: NoEvidence,
  { mailbox: { teamId }, now }: Pick<MonthlyView, 'mailbox' | 'now'>,
): Keep<MonthlyState> {
  const readers = why === 'unreachable' ? [order.by] : why === 'nothing ran' ? [order.to] : [order.to, order.by];
  const put = [...new Set(readers)].map((reader): NewQueueEntry => ({
    queue: managerQueue(teamId, reader),
    subscriptionId: directMessages,
    at: now,
    content: { kind: 'no-evidence', order, why, reader },
  }));
  const after =
    why === 'over'
      ? { ...state, orders: state.orders.filter(({ id }) => id !== order.id) }
      : nextMonth(state, order.id);
  return { kind: 'keep', state: { ...after, unrecorded: [missingEntry(order, why, now)] }, put };
}

function nextMonth(state: MonthlyState, orderId: string): MonthlyState {
  return {
    ...state,
    orders: state.orders.map((order) => (order.id === orderId ? { ...order, month: order.month + 1 } : order)),
  };
}

function keepResting(state: MonthlyState, pauseMs: number, now: number): Keep<MonthlyState> {
  const rest = restFor(Math.max(0, pauseMs), now);
  return { kind: 'keep', state: { ...state, ...rest }, at: rest.notBefore };
}
