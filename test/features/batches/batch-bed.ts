import { createMemoryMail, createMemoryOutbox } from '../../support/memory-outbox.ts';
import { runMachine } from '../../support/run-machine.ts';
import { Keyv } from 'keyv';
import { batchMachine, createRequestPace, servicePace } from '../../../src/features/batches/batch-machine.ts';
import {
  batchEntry,
  createBatchRows,
  createBatchService,
  startBatch,
  type StoredRows,
} from '../../../src/features/batches/batch-service.ts';
import { createOverdue } from '../../../src/durable/runtime.ts';
import { createJudgeNow } from '../../../src/governance/perform/judge.ts';
import { type Audit, createRecordOperation } from '../../../src/governance/audit/record.ts';
import { createCarryOut } from '../../../src/governance/perform/carry-out.ts';
import { createPerformRow } from '../../../src/governance/perform/perform-row.ts';
import { createDirectory } from '../../../src/directory/directory.ts';
import type { Identity } from '../../../src/directory/identity.ts';
import type { AuditEntry } from '../../../src/domain/audit-chain.ts';
import type { BatchApproval, BatchPlan, BatchRow } from '../../../src/domain/batch.ts';
import { batchQueue, liveQueue, personQueue } from '../../../src/domain/queues.ts';
import { failedFor, QuizApiError, type FailedCall } from '../../../src/quiz-api/errors.ts';
import type { QuizApi } from '../../../src/quiz-api/quiz-api.ts';
import type { CallOptions } from '../../../src/quiz-api/transport.ts';
import type { NewUser, User } from '../../../src/quiz-api/records.ts';
import { actor, quizUser } from '../../support/builders/users.ts';
import { recordingLog } from '../../support/log.ts';
import type { VirtualClock } from '../../support/virtual-clock.ts';
import { createMemoryLedger, serviceWindows } from '../../../src/quiz-api/budget/rate-windows.ts';
import {
  createRequestBudget,
  TurnTooLateError,
  type TakeOptions,
} from '../../../src/quiz-api/budget/request-budget.ts';
import { createCountingService } from '../../support/mock-service.ts';

const call: FailedCall = { operation: 'a call', method: 'POST', path: '/v1/users' };

/** The bot is killed: nothing more is stored or sent. */
class KilledError extends Error {}

/** What a call of the service does, besides what it does: fail before it, or lose its answer, or see the bot killed. */
export type Fault = 'none' | 'lost answer' | 'no connection' | 'killed before' | 'killed after' | Error;

export const quizId = 'q-fire';
const tom = {
  user_id: 'u-tom',
  user_name: 'tom@quiz.example',
  user_type: 'administrator',
  edit_quizzes: true,
  manage_users: true,
  manage_groups: true,
} as const;

/** A batch that is carried out over an account in memory, as the queues would run it. `faultOf` is asked with each call, and `send` takes the time of each. */
export async function openBatch(
  rows: readonly BatchRow[],
  options: {
    users?: readonly User[];
    notifiesRespondents?: boolean;
    owner?: Partial<User>;
    /** The person who approved it, and until when. */
    approval?: BatchApproval | undefined;
    approver?: Partial<User>;
    /** How long the answer takes that says who a person is now. */
    actorMs?: number;
    /** When it begins, unless the request that it takes over from is over before, in milliseconds after now. */
    heldForMs?: number;
    faultOf?: (name: string) => Fault;
    clock?: Pick<VirtualClock, 'now' | 'sleep'>;
    send?: (call: FailedCall, options: CallOptions) => Promise<void>;
    killsCommit?: () => 'none' | 'before' | 'after';
    /** Bots over the same store, which take turns. */
    instances?: number;
  } = {},
) {
  let time = Date.parse('2026-11-23T10:00:00Z');
  const now = () => options.clock?.now() ?? time;
  const sleepUntil = async (moment: number): Promise<void> => {
    if (options.clock && moment > now()) await options.clock.sleep(moment - now());
    time = Math.max(time, moment);
  };
  const outbox = createMemoryOutbox();
  const overdue = createOverdue({ kinds: ['batch'], now });
  const users = new Map([quizUser(tom), ...(options.users ?? [])].map((user) => [user.user_id, user]));
  const groupIds = new Set(['g-1', 'g-2']);
  const quizGroups = new Set<string>();
  const calls: { name: string; at: number; priority: CallOptions['priority'] }[] = [];
  const actorsAskedAt: number[] = [];
  const record: AuditEntry[] = [];
  let isDead = false;

  /** Nothing that the bot does from here on has an effect. */
  function kill(at: string): never {
    isDead = true;
    throw new KilledError(at);
  }

  async function asked<Value>(name: string, callOptions: CallOptions | undefined, work: () => Value): Promise<Value> {
    const fault = options.faultOf?.(name) ?? 'none';
    if (fault === 'killed before') return kill(name);
    if (failedFor(fault, 'budget spent')) throw fault;
    await options.send?.(call, callOptions ?? {});
    calls.push({ name, at: now(), priority: callOptions?.priority });
    if (callOptions?.turns && !/^users\.(?:list|get|find)|^quizzes\.groups/.test(name))
      callOptions.turns.waitLeftMs = Infinity;
    if (fault === 'no connection') throw new QuizApiError('no connection', call, 'found no connection');
    if (fault instanceof Error) throw fault;
    const value = work();
    if (fault === 'lost answer') throw new QuizApiError('no connection', call, 'lost its connection');
    if (fault === 'killed after') return kill(name);
    return value;
  }
  const userOf = (id: string): User => {
    const user = users.get(id);
    if (user === undefined) throw new QuizApiError('gone', call, 'answered 404');
    return user;
  };
  const change = (id: string, edit: (user: User) => Partial<User>) =>
    void users.set(id, { ...userOf(id), ...edit(userOf(id)) });
  const api = {
    users: {
      list: (o?: CallOptions) => asked('users.list', o, () => [...users.values()]),
      get: (id: string, o?: CallOptions) => asked(`users.get ${id}`, o, () => userOf(id)),
      find: (name: string, o?: CallOptions) =>
        asked(
          `users.find ${name}`,
          o,
          () => [...users.values()].find(({ user_name }) => user_name === name)?.user_id ?? null,
        ),
      create: (user: NewUser, o?: CallOptions) =>
        asked(`users.create ${user.user_name}`, o, () => {
          if ([...users.values()].some(({ user_name }) => user_name === user.user_name))
            throw new QuizApiError('bad request', call, 'answered 400', { serviceMessage: 'The user name is taken.' });
          const id = `u-${users.size + 1}`;
          const { send_welcome_email: _, password: __, ...fields } = user;
          users.set(
            id,
            quizUser({ email_address: '', ...(JSON.parse(JSON.stringify(fields)) as Partial<User>), user_id: id }),
          );
          return id;
        }),
      update: (id: string, changes: Partial<User>, o?: CallOptions) =>
        asked(`users.update ${id}`, o, () => change(id, () => changes)),
      assignQuiz: (id: string, quiz: string, o?: CallOptions) =>
        asked(`users.assignQuiz ${id}`, o, () =>
          change(id, ({ quizzes }) => ({
            quizzes: [
              ...quizzes.filter(({ quiz_id }) => quiz_id !== quiz),
              { quiz_id: quiz, name: '', date_assigned: null },
            ],
          })),
        ),
      unassignQuiz: (id: string, quiz: string, o?: CallOptions) =>
        asked(`users.unassignQuiz ${id}`, o, () =>
          change(id, ({ quizzes }) => ({ quizzes: quizzes.filter(({ quiz_id }) => quiz_id !== quiz) })),
        ),
      assignGroup: (id: string, group: string, o?: CallOptions) =>
        asked(`users.assignGroup ${id}`, o, () =>
          change(id, ({ groups }) => ({ groups: [...groups, { group_id: group, group_name: '' }] })),
        ),
      unassignGroup: (id: string, group: string, o?: CallOptions) =>
        asked(`users.unassignGroup ${id}`, o, () =>
          change(id, ({ groups }) => ({ groups: groups.filter(({ group_id }) => group_id !== group) })),
        ),
    },
    quizzes: {
      list: async () =>
        ['q-fire', 'q-2'].map((quiz_id) => ({ quiz_id, name: quiz_id, status: 'open', date_created: null })),
      groups: (_: string, o?: CallOptions) =>
        asked('quizzes.groups', o, () => [...quizGroups].map((group_id) => ({ group_id, group_name: '' }))),
      assignGroup: (_: string, group: string, o?: CallOptions) =>
        asked(`quizzes.assignGroup ${group}`, o, () => void quizGroups.add(group)),
      unassignGroup: (_: string, group: string, o?: CallOptions) =>
        asked(`quizzes.unassignGroup ${group}`, o, () => void quizGroups.delete(group)),
    },
    groups: { list: async () => [...groupIds].map((group_id) => ({ group_id, group_name: group_id })) },
  } as unknown as QuizApi;

  const store = new Keyv<StoredRows>();
  const batchRows = createBatchRows(store);
  let ids = 0;
  const deps = { outbox, mail: createMemoryMail(outbox), rows: batchRows, newId: () => `b-${(ids += 1)}`, now };
  const { service: of } = createBatchService(deps);

  /** A bot that has just started. */
  function openBot() {
    isDead = false;
    const directory = createDirectory({ api, now, onBackgroundError: () => {} });
    const identity = {
      async actorOf(personId: string, { fresh }: { fresh: boolean }) {
        if (fresh) {
          actorsAskedAt.push(now());
          await sleepUntil(now() + (options.actorMs ?? 0));
        }
        const user = personId === 'UADA' ? options.approver : { ...tom, ...options.owner };
        return actor(user, { personId });
      },
    } as unknown as Identity;
    const commit: typeof outbox.commit = async (...step) => {
      const kills = options.killsCommit?.() ?? 'none';
      if (kills === 'before' || isDead) return kill('commit');
      const isKept = await outbox.commit(...step);
      if (kills === 'after') return kill('commit');
      return isKept;
    };
    const platform = { name: 'Slack' };
    const userProtection = {
      inTurn: async <Value>(_: unknown, __: string, work: (calls: object) => Promise<Value>) => work({}),
    };
    const audit: Audit = async (_, entry) => void record.push(entry);
    const none = () => ({});
    const performRow = createPerformRow({
      api,
      directory,
      identity,
      platform,
      userProtection,
      judgeNow: createJudgeNow({
        userProtection: { refusal: async () => undefined, isOtherAdministrator: async () => true },
        gainedRights: { note: async () => {} },
      }),
      record: createRecordOperation({ audit, now, newCorrelationId: () => 'ab12' }),
      makePassword: () => 'a-new-password',
      storage: {},
      ownSettings: none,
      decisions: none,
      ofWorkspace: none,
      carryOut: createCarryOut({ putAssigned: async () => {}, log: recordingLog().log }),
      now,
    } as unknown as Parameters<typeof createPerformRow>[0]);
    const machine = batchMachine({
      now,
      rows: createBatchRows(store),
      performRow,
      pace: createRequestPace({ ...servicePace, now }),
      audit,
      notifiesRespondents: options.notifiesRespondents ?? true,
      afterCreate: async () => [],
      newCorrelationId: () => 'ab12',
      log: recordingLog().log,
    });
    return runMachine(machine, { outbox: { ...outbox, commit }, now, overdue });
  }

  const plan: BatchPlan = {
    kind: 'batch',
    operation: 'assign-quiz',
    action: 'assign ⁨Fire safety⁩',
    rows,
    approval: null,
  };
  const {
    batch: { id },
    entries,
  } = await startBatch(plan, {
    ...deps,
    teamId: 'T1',
    by: 'UTOM',
    approval: options.approval,
    ...(options.heldForMs !== undefined && {
      takesOver: { correlationId: 'cd34', notBefore: now() + options.heldForMs },
    }),
  });
  await outbox.put(entries);
  const queue = batchQueue('T1', id);
  const bots = Array.from({ length: options.instances ?? 1 }, openBot);
  let kills = 0;

  return {
    id,
    account: { users, groupIds, quizGroups },
    calls,
    actorsAskedAt,
    record,
    service: of('T1'),
    kills: () => kills,
    now,
    overdueSince: async () => overdue.sinceByKind(await outbox.queues())['batch'],
    names: () => calls.map(({ name }) => name),
    progress: async () => (await of('T1').progress(id))!,
    outcomes: async () => (await of('T1').result(id))!.outcomes,
    messagesTo: async (userId: string) =>
      (await outbox.waiting(personQueue('T1', userId), { limit: 10 })).map(({ content }) => content),
    refreshes: async (liveId = `batch-${id}`) =>
      (await outbox.waiting(liveQueue('T1', liveId), { limit: 10_000 })).length,
    callOff: async () => outbox.put([batchEntry({ teamId: 'T1', id }, { kind: 'call off' }, now())]),
    /** Of the batch itself, without its rows. */
    ownRecord: () => record.filter(({ batch }) => batch === undefined),
    /** Lets time pass, as the queues would run the batch; a killed bot is started again. Without a moment: until nothing is left to do. */
    async until(moment = Infinity) {
      // Many times more than any batch of the tests needs.
      for (let runs = 0; runs < 5_000; runs += 1) {
        let next: number | undefined;
        const turn = runs % bots.length;
        try {
          next = await bots[turn]!(queue);
        } catch (error) {
          if (!(error instanceof KilledError)) throw error;
          kills += 1;
          bots[turn] = openBot();
          next = now();
        }
        if (next === undefined || next > moment) return sleepUntil(moment < Infinity ? moment : now());
        await sleepUntil(next);
      }
      throw new Error('the batch never rests');
    },
  };
}

/** A service with its limits behind the bot’s budget, in simulated time. @param latencyMs from the bot to the service and back */
export function createBudgetedService({ now, sleep }: VirtualClock, latencyMs: number) {
  const budget = createRequestBudget({ ledger: createMemoryLedger({ now }), now, sleep });
  const service = createCountingService(serviceWindows, now);
  const send = async (options: TakeOptions): Promise<void> => {
    const permit = await budget.take(options);
    await sleep(latencyMs / 2);
    service.request();
    await sleep(latencyMs / 2);
    permit.answered();
  };
  return {
    send,
    refused: service.refused,
    /** Sends a request as the client of the quiz service does. */
    call: async (failed: FailedCall, { priority, turns }: CallOptions): Promise<void> => {
      const deadline = now() + (turns?.waitLeftMs ?? Infinity);
      await send({ priority, deadline }).catch((error: unknown) => {
        throw error instanceof TurnTooLateError
          ? new QuizApiError('budget spent', failed, 'was not sent', { availableAt: error.availableAt })
          : error;
      });
    },
  };
}
