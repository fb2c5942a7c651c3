import type { ApprovalRequest } from '../../domain/approval-request.ts';
import { stepQueue, waitsQueue, type NewQueueEntry, type Submission } from '../../domain/queues.ts';
import type { ListedWait, StepExecution } from '../../domain/workflow.ts';
import type { Mail } from '../../durable/mail.ts';
import type { AnyMachine } from '../../durable/machine.ts';
import type { Notifier } from '../../governance/approvals/announce.ts';
import type { Log } from '../../observability/log.ts';
import type { Storage } from '../../storage/records.ts';
import { createRecent } from '../../time/timers.ts';
import { createTryEnding, type Complete, listedAfterMs, stepMachine } from './step-machine.ts';
import { workflowEntry, eventsOf, listAfter, looksOf, waitsMachine, type LookFor, type WaitsState } from './waiting.ts';
import type { StepRunner } from './run-step.ts';

export type Workflows = ReturnType<typeof createWorkflows>;

/**
 * The runs of custom steps in workflows of the platform.
 *
 * @param deps.isEnabled without it, no submission is looked at, and what waits ends with its time
 */
export function createWorkflows(deps: {
  isEnabled: boolean;
  storage: Pick<Storage, 'outbox' | 'approvals'>;
  mail: Mail;
  complete: Complete;
  log: Log;
  now: () => number;
}) {
  const {
    storage: { outbox, approvals },
    mail,
    now,
  } = deps;
  const tryEnding = createTryEnding(deps);
  /** The queues of the runs that wait for a decision, by request. Other instances look by themselves. */
  const waiting = new Map<string, string>();

  /** Each webhook asks for the list of its workspace. */
  const recent = createRecent<readonly ListedWait[]>({ forMs: listedAfterMs, now });

  /** Has a run go on that waits for a decision. One that is not woken looks by itself. */
  async function wakeFor({ id, state }: ApprovalRequest): Promise<void> {
    const queue = state === 'closed' ? waiting.get(id) : undefined;
    if (queue !== undefined) await mail.wake([{ queue }]);
  }

  async function list(teamId: string): Promise<readonly ListedWait[]> {
    const queue = waitsQueue(teamId);
    // The entries first: what is applied between the two reads is then in the state.
    const events = eventsOf(await outbox.waiting(queue, { limit: 10_000 }));
    const { state } = await outbox.stateOf<WaitsState>(queue);
    return listAfter(state?.waits ?? [], events);
  }

  return {
    /** Takes a run. When this resolves, the run survives a crash; a run that was taken before changes nothing. */
    async take(execution: StepExecution): Promise<void> {
      const queue = stepQueue(execution.teamId, execution.id);
      await mail.put([workflowEntry(queue, { kind: 'start', execution }, now())]);
    },
    /** The entries that carry a submission by a user to the runs that wait for it. */
    async entriesFor(teamId: string, submission: Submission, userId: string): Promise<NewQueueEntry[]> {
      const { quizId, outcome, points, percentage, grade, submittedAt } = submission;
      if (!deps.isEnabled) return [];
      const listed = await recent.of(teamId, async () => list(teamId));
      const waits = listed.filter((wait) => wait.userId === userId && wait.quizId === quizId);
      const result = { outcome, points, percentage, grade, submittedAt };
      return waits.map(({ executionId }) =>
        workflowEntry(stepQueue(teamId, executionId), { kind: 'result', result }, now()),
      );
    },
    /** Has the runs end that wait for a user or a quiz which was deleted. One that misses it ends within the hour. */
    async lookFor(teamId: string, deleted: { userId: string } | { quizId: string }): Promise<void> {
      if (!deps.isEnabled) return;
      const isOf = ({ userId, quizId }: ListedWait) =>
        'userId' in deleted ? userId === deleted.userId : quizId === deleted.quizId;
      await mail.put(looksOf(teamId, (await list(teamId)).filter(isOf), now()));
    },
    /** What carries runs and waits on, by the kind of mailbox. */
    machines: (runner: StepRunner, lookFor: LookFor): Readonly<Record<'step' | 'waits', AnyMachine>> => ({
      step: stepMachine({
        approvals,
        runner,
        lookFor,
        tryEnding,
        log: deps.log,
        onRequested: (requestId, queue) => void waiting.set(requestId, queue),
        onDecided: (requestId) => void waiting.delete(requestId),
      }),
      waits: waitsMachine,
    }),
    /** The notifier, which also has the runs go on that wait for a decision. */
    watching: (notifier: Notifier): Notifier => ({
      ...notifier,
      async update(request, post) {
        await wakeFor(request);
        return notifier.update(request, post);
      },
      // The requester may have no message yet, where others to them came first.
      async updateRequesterPost(request, post) {
        await wakeFor(request);
        return notifier.updateRequesterPost(request, post);
      },
    }),
  };
}
