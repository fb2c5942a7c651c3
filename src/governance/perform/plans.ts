import type { OneAtATime } from '../../storage/leases.ts';
import type { Keyv } from 'keyv';
import type { Plan } from '../../domain/plan.ts';
import type { Plans } from '../../operations/services/features.ts';
import { startableMs } from '../../operations/define-plan.ts';

/** People look again at what they started so long ago. */
const startedForMs = 14 * 24 * 60 * 60_000;

/** Of those that a person made, so many can be found again. */
const latestAtMost = 3;

/** The plans that a person made, the latest first. */
interface LatestPlans {
  latest: string[];
}

/** What is left of a plan that was started. */
interface StartedPlan {
  personId: string;
  startedAt: number;
}

/**
 * Keeps the plans of workspaces: for as long as they can be started, and a request to start one stays open.
 *
 * @param deps.requestTtlMs how long a request for approval stays open
 */
export function createPlans(deps: {
  store: Pick<Keyv<Plan | StartedPlan | LatestPlans>, 'get' | 'set'>;
  oneAtATime: OneAtATime;
  requestTtlMs: number;
  newId: () => string;
  now: () => number;
}): (teamId: string) => Plans {
  const { store } = deps;
  const ttlMs = startableMs + deps.requestTtlMs;
  return (teamId) => {
    const keyOf = (id: string) => `${teamId}:${id}`;
    const latestKey = (personId: string) => keyOf(`latest:${personId}`);
    const latestOf = async (personId: string) => {
      const kept = await store.get(latestKey(personId));
      return kept && 'latest' in kept ? kept.latest : [];
    };
    const open = async (id: string) => {
      const kept = await store.get(keyOf(id));
      return kept && 'content' in kept ? kept : undefined;
    };
    return {
      async add(plan) {
        const id = deps.newId();
        await store.set(keyOf(id), { id, teamId, createdAt: deps.now(), ...plan }, ttlMs);
        const kept: string[] = [];
        for (const earlier of await latestOf(plan.personId)) {
          // Only what was entered for a file is entered once more for the same thing.
          const isReplaced = plan.entered?.input['file'] !== undefined && isReplacedBy(await open(earlier), plan);
          if (!isReplaced) kept.push(earlier);
        }
        await store.set(
          latestKey(plan.personId),
          { latest: [...(hasWork(plan) ? [id] : []), ...kept].slice(0, latestAtMost) },
          ttlMs,
        );
        return id;
      },
      async latest(personId) {
        const plans = await Promise.all((await latestOf(personId)).map(open));
        return plans.flatMap((plan) => (plan && deps.now() - plan.createdAt <= startableMs ? [plan] : []));
      },
      byId: open,
      async wasStarted(id, personId) {
        const kept = await store.get(keyOf(id));
        return kept !== undefined && 'startedAt' in kept && kept.personId === personId;
      },
      async take(id) {
        const taken = await deps.oneAtATime.unlessBusy(`plan/${keyOf(id)}`, async () => {
          const plan = await open(id);
          if (plan === undefined) return false;
          await store.set(keyOf(id), { personId: plan.personId, startedAt: deps.now() }, startedForMs);
          return true;
        });
        return !taken.isBusy && taken.value;
      },
    };
  };
}

/** Whether somebody may want to find a plan again: an import with nothing to do is over, unless its columns are to be named. */
function hasWork({ content }: Pick<Plan, 'content'>): boolean {
  if (content.kind !== 'batch' || content.imported === undefined) return true;
  return content.imported.lacksNames !== undefined || content.rows.some(({ kind }) => kind === 'change');
}

/** Whether a person changed what they had entered for a file. The earlier plan can still be started where it is shown. */
function isReplacedBy(earlier: Plan | undefined, { entered: later }: Pick<Plan, 'entered'>): boolean {
  const entered = earlier?.entered;
  const [file] = entered?.input['file'] ?? [];
  return file !== undefined && entered?.operation === later?.operation && file === later?.input['file']?.[0];
}
