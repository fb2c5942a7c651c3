import { hourMs, dayMs } from '../../domain/durations.ts';
import { allGrantsQueues, directMessages, grantsQueue, personQueue, type NewQueueEntry } from '../../domain/queues.ts';
import type { SharedState } from '../../durable/mail.ts';
import { lentTogether, type LentRights, type RightsLent } from '../../operations/services/people.ts';
import { say } from '../../domain/said.ts';
import { rightsLentNote } from './pages/lent-rights.ts';
import { stepNamed, steps } from './steps.ts';
import { createHmac, timingSafeEqual } from 'node:crypto';

/** Where a step runs. `workflowId`: undefined where the platform does not say. */
export interface StepPlace extends Pick<GrantClaim, 'teamId' | 'appId' | 'step'> {
  workflowId: string | undefined;
}

/** The person whose rights a step runs with, or why it runs with nobody’s, as a sentence. */
type GrantUse = { personId: string; grantId: string } | { refused: string };

export type StepGrants = ReturnType<typeof createStepGrants>;

interface StoredGrant {
  id: string;
  personId: string;
  step: string;
  workflowId?: string;
  /** Times are milliseconds since the epoch. */
  lentAt: number;
  /** Within an hour: a run writes it only where it is older. */
  usedAt?: number;
  revokedAt?: number;
  /** A message tells of it and of those that are lent with it. */
  isTold?: true;
}

export interface StoredGrants {
  grants: readonly StoredGrant[];
}

const unusedForMs = 90 * dayMs;
/** Longer than any text counts and any step waits. */
const revokedKeptMs = 181 * dayMs;

/**
 * The rights that people lent to steps of workflows. The platform says who sets up a step only while they do, and not when it
 * runs, so the step carries a text that the bot signed for that person, this app and this kind of step. The platform does not
 * say which workflow the step is in either: where a run does, the grant is for that workflow from its first run on.
 */
export function createStepGrants({ secret, shared, now }: { secret: string; shared: SharedState; now: () => number }) {
  const texts = createGrantTexts(secret);
  const expiryOf = ({ lentAt, usedAt = lentAt }: Pick<StoredGrant, 'lentAt' | 'usedAt'>) => usedAt + unusedForMs;
  const isLent = (grant: StoredGrant) => grant.revokedAt === undefined && expiryOf(grant) > now();

  async function read(queue: string): Promise<readonly StoredGrant[]> {
    return (await shared.read<StoredGrants>(queue))?.grants ?? [];
  }

  async function find(teamId: string, id: string): Promise<StoredGrant | undefined> {
    return (await read(grantsQueue(teamId, personOfGrant(id)))).find((grant) => grant.id === id);
  }

  async function change(
    queue: string,
    how: (grants: readonly StoredGrant[]) => { grants: readonly StoredGrant[]; put?: readonly NewQueueEntry[] },
  ): Promise<void> {
    await shared.change<StoredGrants>(queue, (stored) => {
      const { grants, put = [] } = how(stored?.grants ?? []);
      const kept = grants.filter((grant) => isLent(grant) || now() - (grant.revokedAt ?? 0) < revokedKeptMs);
      return { state: { grants: kept }, put };
    });
  }

  /** The direct message about a grant. */
  function told({ id, step }: StoredGrant, teamId: string, userId: string): NewQueueEntry {
    const content = { kind: 'note', note: rightsLentNote(id, stepTitle(step)) } as const;
    return { queue: personQueue(teamId, userId), subscriptionId: directMessages, at: now(), content };
  }

  return {
    /**
     * Lends a person’s rights to a kind of step. While they set it up, the text stays the same. They get one direct message about
     * the steps that they set up within an hour, which is put there in one step with the first grant.
     *
     * @param to.userId the person’s user in the account
     */
    async lend({ userId, ...claim }: Omit<GrantClaim, 'lentAt'> & { userId: string }): Promise<string> {
      const { teamId, personId, step } = claim;
      let lent: StoredGrant | undefined;
      await change(grantsQueue(teamId, personId), (grants) => {
        const own = grants.filter((grant) => grant.personId === personId);
        lent = own.findLast(
          (grant) => grant.step === step && isLent(grant) && grant.usedAt === undefined && now() - grant.lentAt < dayMs,
        );
        if (lent !== undefined) return { grants };
        const lentAt = Math.max(now(), ...own.map((grant) => grant.lentAt + 1));
        lent = { id: grantIdOf({ personId, lentAt }), personId, step, lentAt };
        const isTold = own.some((grant) => grant.isTold && isLent(grant) && lentTogether(grant.id, lentAt));
        if (isTold) return { grants: [...grants, lent] };
        return { grants: [...grants, { ...lent, isTold: true }], put: [told(lent, teamId, userId)] };
      });
      return texts.textOf({ ...claim, lentAt: lent?.lentAt ?? now() });
    },

    /** @param userOf finds the user of a person whose grant the store has lost, for the direct message about it */
    async use(
      text: string,
      { teamId, appId, step, workflowId }: StepPlace,
      userOf: (personId: string) => Promise<string | undefined>,
    ): Promise<GrantUse> {
      const claim = texts.read(text, { teamId, appId });
      if (claim === undefined) return { refused: grantRefusals.unknown };
      const { personId, lentAt } = claim;
      const id = grantIdOf(claim);
      const signed: StoredGrant = { id, personId, step: claim.step, lentAt };
      const known = await find(teamId, id);
      const refused = refusal(known ?? signed);
      if (refused !== undefined) return { refused };

      const isFresh = known?.usedAt !== undefined && now() - known.usedAt < hourMs;
      if (isFresh && (workflowId === undefined || known.workflowId !== undefined)) return { personId, grantId: id };
      const userId = known === undefined ? await userOf(personId) : undefined;
      let refusedMeanwhile: string | undefined;
      await change(grantsQueue(teamId, personId), (grants) => {
        const stored = grants.find((grant) => grant.id === id);
        refusedMeanwhile = refusal(stored ?? signed);
        if (refusedMeanwhile !== undefined) return { grants };
        const used: StoredGrant = {
          workflowId,
          ...(stored ?? signed),
          usedAt: now(),
        };
        return {
          grants: [...grants.filter((grant) => grant.id !== id), used],
          put: stored === undefined && userId !== undefined ? [told(used, teamId, userId)] : undefined,
        };
      });
      return refusedMeanwhile === undefined ? { personId, grantId: id } : { refused: refusedMeanwhile };

      function refusal(grant: StoredGrant): string | undefined {
        if (grant.revokedAt !== undefined) return grantRefusals.revoked;
        if (!isLent(grant)) return grantRefusals.unknown;
        if (grant.step !== step) return grantRefusals.otherStep(grant.step);
        const isElsewhere =
          workflowId !== undefined && grant.workflowId !== undefined && grant.workflowId !== workflowId;
        return isElsewhere ? grantRefusals.otherWorkflow : undefined;
      }
    },

    /** Why a run that began with a grant cannot go on, as a sentence; undefined where it can. */
    async refusalOf(teamId: string, grantId: string): Promise<string | undefined> {
      const grant = await find(teamId, grantId);
      return grant?.revokedAt === undefined ? undefined : grantRefusals.revoked;
    },

    /** The grants of a workspace, for operations. */
    of: (teamId: string): RightsLent => ({
      async all() {
        const all = (await Promise.all(allGrantsQueues(teamId).map(read))).flat();
        return all
          .filter(isLent)
          .toSorted((one, other) => one.lentAt - other.lentAt)
          .map(shown);
      },
      async revoke(id, isMeant) {
        let revoked: StoredGrant | undefined;
        await change(grantsQueue(teamId, personOfGrant(id)), (grants) => {
          revoked = grants.find((grant) => grant.id === id && isLent(grant) && isMeant(shown(grant)));
          if (revoked === undefined) return { grants };
          return { grants: grants.map((grant) => (grant.id === id ? { ...grant, revokedAt: now() } : grant)) };
        });
        return revoked && shown(revoked);
      },
    }),
  };

  function shown(grant: StoredGrant): LentRights {
    const { id, personId, step, workflowId, lentAt, usedAt } = grant;
    return { id, personId, step: stepTitle(step), workflowId, lentAt, usedAt, expiresAt: expiryOf(grant) };
  }
}

const again = say`Edit this step, choose yourself under “Runs with the rights of”, and publish the workflow again.`;

/** Why a step runs with nobody’s rights. The people of the workflow read it. */
export const grantRefusals = {
  unknown: `${say`The bot can’t tell who published this workflow, or this step hasn’t run for 90 days.`} ${again}`,
  revoked: `${say`The rights that this step ran with were revoked.`} ${again}`,
  otherStep: (step: string) =>
    `${say`The rights that this step runs with were lent to the step “${stepTitle(step)}” alone.`} ${again}`,
  otherWorkflow: `${say`The rights that this step runs with were lent to another workflow.`} ${again}`,
} as const;

/** What people call a kind of step; one that the bot no longer has goes by its name. */
function stepTitle(step: string): string {
  return stepNamed(step)?.title ?? step;
}

/** What a text stands for: a person lends their rights to a kind of step of this app, in this workspace. */
interface GrantClaim {
  teamId: string;
  /** The platform’s ID of the app. */
  appId: string;
  /** The name of the step. */
  step: string;
  personId: string;
  /** Milliseconds since the epoch; no other grant of the person has it. */
  lentAt: number;
}

/**
 * Signs the texts that steps carry, which only the bot can make, and reads them.
 *
 * @param secret known to every instance, and to nobody else; texts made with another secret say nothing
 */
export function createGrantTexts(secret: string) {
  const key = createHmac('sha256', secret).update('invigilator: whose rights a step of a workflow runs with').digest();
  const signatureOf = ({ teamId, appId, step, personId, lentAt }: GrantClaim) =>
    createHmac('sha256', key)
      .update([teamId, appId, step, personId, lentAt.toString(36)].join('/'))
      .digest();

  return {
    textOf: (claim: GrantClaim) => `${grantIdOf(claim)}.${signatureOf(claim).toString('base64url')}`,
    /** Undefined for any other text, and for a text of another workspace or app. */
    read(text: string, where: Pick<GrantClaim, 'teamId' | 'appId'>): GrantClaim | undefined {
      const [, personId, moment, given] = /^([A-Z0-9]{1,30})\.([a-z0-9]{1,9})\.([\w-]{43})$/.exec(text) ?? [];
      if (personId === undefined || moment === undefined || given === undefined) return undefined;
      const signature = Buffer.from(given, 'base64url');
      // The text does not say its step: a choice has little room, and there are few steps to try.
      return steps
        .map(({ name }) => ({ ...where, step: name, personId, lentAt: Number.parseInt(moment, 36) }))
        .find((claim) => timingSafeEqual(signature, signatureOf(claim)));
    },
  };
}

export function grantIdOf({ personId, lentAt }: Pick<GrantClaim, 'personId' | 'lentAt'>): string {
  return `${personId}.${lentAt.toString(36)}`;
}

function personOfGrant(grantId: string): string {
  return grantId.split('.')[0] ?? '';
}
