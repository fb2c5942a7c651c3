import { vi } from 'vitest';
import { personMachine } from '../../src/features/delivery/person-machine.ts';
import type { FindRecipient, IsMember } from '../../src/features/delivery/person-view.ts';
import type { CampaignWeek } from '../../src/domain/announcement.ts';
import { personQueue, type CampaignMessage } from '../../src/domain/queues.ts';
import { recordingLog } from './log.ts';
import { createMemoryChannel } from './memory-channel.ts';
import { runMachine } from './run-machine.ts';
import { createMemoryOutbox } from './memory-outbox.ts';

export const userId = 'ü/1';
export const queue = personQueue('T1', userId);

interface Options {
  /** Milliseconds since the epoch. */
  now?: number;
  findRecipient?: FindRecipient;
  isMember?: IsMember;
  turn?: (key: string) => number | undefined;
  weeks?: readonly CampaignWeek[];
  isStillWanted?: (message: CampaignMessage) => boolean;
  running?: readonly string[];
  openingTurn?: (now: number) => number | undefined;
  /** The mailbox; unless given, that of the user. */
  name?: string;
  /** What else is otherwise. */
  deps?: Partial<Parameters<typeof personMachine>[0]>;
}

/** The queue of a user of the quiz account whom the bot knows as UROSA, on a clock that the test sets. */
export function openPersonQueue(options: Options = {}) {
  const clock = { now: options.now ?? 100_000 };
  const now = () => clock.now;
  const outbox = createMemoryOutbox();
  const memory = createMemoryChannel(now);
  const { log, lines } = recordingLog();
  const name = options.name ?? queue;
  const counted: Record<string, number> = {};
  const wakes: string[] = [];
  const findRecipient = vi.fn<FindRecipient>(
    options.findRecipient ?? (async () => ({ kind: 'found', personId: 'UROSA', timeZone: 'UTC' })),
  );
  let ids = 0;
  const run = runMachine(
    personMachine({
      channel: memory.channel,
      findRecipient,
      findPerson: findRecipient,
      lateReports: async () => [],
      isMember: options.isMember ?? (async () => true),
      notifiesRespondents: true,
      wantsMessages: async () => true,
      wantsWeeks: async () => true,
      weeksOf: async () => [...(options.weeks ?? [])],
      messageNow: async (_, message) => ((options.isStillWanted?.(message) ?? true) ? message : undefined),
      runningCampaigns: async () => options.running ?? [],
      quietUntil: async () => undefined,
      openingTurn: async () => options.openingTurn?.(clock.now),
      holidays: new Set(['2026-11-25']),
      takeUrl: (quizId) => `https://quiz.example/${quizId}`,
      pace: { turn: options.turn ?? (() => undefined), nextAt: () => 0 },
      newId: () => String((ids += 1)),
      log,
      counter: {
        inc: ({ outcome }: { outcome: string }, by = 1) => void (counted[outcome] = (counted[outcome] ?? 0) + by),
      } as never,
      now,
      ...options.deps,
    }),
    { outbox, now, onWake: (woken) => void wakes.push(woken) },
  );
  /** Runs the queue at the times it asks for, until nothing is left. */
  const runAll = async () => {
    let ran = 0;
    for (let at: number | undefined = clock.now; at !== undefined; at = await run(name)) {
      clock.now = Math.max(clock.now, at);
      if ((ran += 1) > 50) throw new Error('the queue never comes to an end');
    }
  };
  const waiting = async () => (await outbox.waiting(name, { limit: 10 })).length;
  return {
    clock,
    outbox,
    ...memory,
    run: () => run(name),
    runAll,
    counted,
    findRecipient,
    waiting,
    wakes,
    lines,
  };
}
