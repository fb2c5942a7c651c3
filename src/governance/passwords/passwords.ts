import type { OneAtATime } from '../../storage/leases.ts';
import type { Keyv } from 'keyv';
import type { Actor } from '../../directory/identity.ts';
import { fullName } from '../../directory/names.ts';
import type { ApprovalRequest, PasswordOffer } from '../../domain/approval-request.ts';
import type { Log } from '../../observability/log.ts';
import type { Metrics } from '../../observability/metrics.ts';
import type { OperationContext } from '../../operations/context.ts';
import type { PasswordTarget } from '../../operations/page.ts';
import { resetPassword, setNewPassword } from '../../features/users/state.ts';
import { flagsOf, type User } from '../../quiz-api/records.ts';
import type { Notifier } from '../approvals/announce.ts';
import { judge } from '../perform/judge.ts';
import type { RecordOperation } from '../audit/record.ts';
import { createContext, operationTimeoutMs, type OperationContextDependencies } from '../perform/operation-context.ts';
import { keepsRights, ownPasswordKey, type PasswordGrant, type ShownPassword } from './grants.ts';
import { asShown, createShowList, type RecordShown, type SetFor } from './password-list.ts';
import { denialMessage, rightsOf } from '../rights/rights.ts';
import type { RunOperation } from '../perform/carry-out.ts';
import { say } from '../../domain/said.ts';

/** Long enough to find the message on the next working day. */
const grantTtlMs = 24 * 3_600_000;
/** One approval shows one password of a trainer or administrator. It can be looked at again for so long. */
const seenAgainForMs = 10 * 60_000;

export type Passwords = ReturnType<typeof createPasswords>;

/**
 * New passwords. None is ever stored or posted: a person gets an offer, which is a button, and the password is made when
 * they press it.
 */
export function createPasswords(
  deps: OperationContextDependencies & {
    runOperation: RunOperation;
    notifier: Pick<Notifier, 'offerPassword'>;
    oneAtATime: OneAtATime;
    /** By workspace, person and user. */
    grants: Keyv<PasswordGrant>;
    record: RecordOperation;
    log: Log;
    metrics: Metrics;
    newCorrelationId: () => string;
    /** Called with work that goes on after the answer to a person. */
    track: (work: Promise<unknown>) => void;
  },
) {
  const { api, directory, identity, grants, log } = deps;
  /** In memory alone: by person and user, passwords that can be looked at again. */
  const shownOnce = new Map<string, { shown: ShownPassword; until: number }>();
  const keyOf = (teamId: string, personId: string, userId: string) => `${teamId}:${personId}:${userId}`;

  async function grant(teamId: string, personId: string, { user, isNew }: PasswordTarget): Promise<PasswordOffer> {
    const { user_id: userId, user_type: type } = user;
    await grants.set(
      keyOf(teamId, personId, userId),
      { isNew, type, flags: flagsOf(user), expiresAt: deps.now() + grantTtlMs },
      grantTtlMs,
    );
    return { personId, userId, name: fullName(user) };
  }

  function send(offer: PasswordOffer): void {
    deps.track(
      deps.notifier
        .offerPassword(offer)
        .catch((error: unknown) =>
          log.error(
            { error, person: offer.personId, user: offer.userId },
            'the button for a new password could not be sent: /quiz-user reset-password gives another',
          ),
        ),
    );
  }

  /** @returns whether the person may see one; the grant where they may only by that */
  async function permission(teamId: string, user: User, context: OperationContext): Promise<boolean | PasswordGrant> {
    const isVisible = context.visibility.user(user);
    if (isVisible && judge(context, resetPassword, { user }).kind === 'run') return true;
    const granted = await grants.get(keyOf(teamId, context.actor.personId, user.user_id));
    if (granted === undefined || granted.expiresAt <= deps.now() || !(granted.isNew || isVisible)) return false;
    return keepsRights(user, granted) && granted;
  }

  /** What the person has seen already by a grant that is used up, and may see again. */
  function shownBefore(key: string): ShownPassword | undefined {
    for (const [each, { until }] of shownOnce) if (until <= deps.now()) shownOnce.delete(each);
    return shownOnce.get(key)?.shown;
  }

  /** What a new user may do for themselves: nobody else gets the grant, and they lose it with the user. */
  async function ownGrant(teamId: string, userId: string, { user }: Actor): Promise<PasswordGrant | undefined> {
    if (user === undefined || user.user_id !== userId || user.suspended) return undefined;
    const granted = await grants.get(ownPasswordKey(teamId, userId));
    return granted && granted.expiresAt > deps.now() ? granted : undefined;
  }

  const setFor: SetFor = async (context, { teamId, userId }, maySee) => {
    // Of two passwords set at the same time, the one that is seen last need not be the one that counts.
    const turn = await deps.oneAtATime.unlessBusy(`password:${teamId}:${userId}`, async (): Promise<ShownPassword> => {
      const user = await directory.users.read(userId, () => api.users.get(userId, context.call));
      if (!(await maySee(user))) return { kind: 'refused', message: notAllowed };
      const password = await setNewPassword(context, user);
      return { kind: 'shown', name: fullName(user), userName: user.user_name, password };
    });
    return turn.isBusy
      ? { kind: 'failed', message: say`A new password is being set for them right now. Try again in a few seconds.` }
      : turn.value;
  };

  const recordShown: RecordShown = async (shown, target, origin) => {
    const outcome = shown.kind === 'shown' ? 'done' : shown.kind;
    deps.metrics.operations.inc({ operation: 'show-password', outcome });
    await deps.record(
      { ...origin, through: 'choice' },
      { operation: resetPassword, name: 'show-password', input: target && { user: target } },
      { action: outcome, ...('message' in shown && { message: shown.message }) },
    );
  };

  return {
    /** Offers a person the password of a user, in a direct message. The message is sent in the background. */
    async offer(teamId: string, personId: string, target: PasswordTarget): Promise<void> {
      send(await grant(teamId, personId, target));
    },

    /**
     * Offers the password after an approval: to the requester while they have the right, otherwise to the approver. The
     * requester gets the button in the message about their request, the approver in a direct message.
     */
    async offerAfterApproval(request: ApprovalRequest, approverId: string, target: PasswordTarget) {
      const { teamId, requesterId } = request;
      const requester = await identity.actorOf(requesterId, { fresh: false });
      const hasRight = rightsOf(requester).has(resetPassword.right);
      const offer = await grant(teamId, hasRight ? requesterId : approverId, target);
      if (!hasRight) send(offer);
      return offer;
    },

    /** Sets a fresh password in the service, and gives it for the person to see. Never rejects. */
    async show({ teamId, personId, userId }: { teamId: string; personId: string; userId: string }) {
      const correlationId = deps.newCorrelationId();
      let target: User | undefined;

      const ran = await deps.runOperation<ShownPassword>(resetPassword, correlationId, async () => {
        const call = { deadline: deps.now() + operationTimeoutMs };
        const actor = await identity.actorOf(personId, { fresh: true, call });
        const context = createContext(deps, actor, { teamId, call });
        const own = await ownGrant(teamId, userId, actor);
        if (own === undefined && !context.rights.has(resetPassword.right))
          return { kind: 'refused', message: denialMessage(actor, resetPassword.right, deps.platform) };
        const key = keyOf(teamId, personId, userId);
        const before = shownBefore(key);
        if (before) {
          target = (await directory.users.names(call)).byId(userId);
          return before;
        }
        let used: PasswordGrant | undefined;
        const giveBack = async () => used && grants.set(key, used, used.expiresAt - deps.now());
        const set = await setFor(context, { teamId, userId }, async (user) => {
          target = user;
          if (own !== undefined && keepsRights(user, own)) return true;
          const permitted = await permission(teamId, user, context);
          if (typeof permitted === 'boolean') return permitted;
          if (user.user_type === 'respondent') return true;
          // Before it is set, so that of two presses only one shows a password.
          await grants.delete(key);
          used = permitted;
          return true;
        }).catch(async (error: unknown) => {
          await giveBack();
          throw error;
        });
        if (used === undefined || set.kind !== 'shown') return set;
        const once = { ...set, isOnce: true } as const;
        shownOnce.set(key, { shown: once, until: deps.now() + seenAgainForMs });
        return once;
      });

      const shown = asShown(ran, notAllowed);
      await recordShown(shown, target, { teamId, by: personId, correlationId });
      return shown;
    },

    showList: createShowList(deps, { setFor, recordShown }),
  };
}

const notAllowed = say`You can’t see a new password of this user, because you don’t manage them or it needs approval. Request one with \`/quiz-user reset-password\`.`;
