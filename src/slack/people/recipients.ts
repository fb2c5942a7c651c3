import type { FindRecipient, IsMember } from '../../features/alerts/direct-messages/person-view.ts';
import { createPace } from '../../features/alerts/direct-messages/pace.ts';
import type { NamedList } from '../../directory/directory.ts';
import type { Identity } from '../../directory/identity.ts';
import { isFullAddress } from '../../domain/address.ts';
import { NotFoundError } from '../../quiz-api/errors.ts';
import type { Log } from '../../observability/log.ts';
import type { QuizApi } from '../../quiz-api/quiz-api.ts';
import type { User } from '../../quiz-api/users.ts';
import { knownTimeZone } from '../../time/wall-clock.ts';
import type { FindColleague } from './colleagues.ts';

/** Below the 50 a minute of `users.lookupByEmail`: https://docs.slack.dev/apis/web-api/rate-limits */
const lookupPace = { everyMs: 1_500, burst: 10 };
/** With a longer queue for lookups, the list of the workspace's people answers sooner. */
const longestQueueMs = 15_000;
const looksAgainAfterMs = 2_000;
/** After the list could not be read, people are looked up one by one. */
const listRestsMs = 10 * 60_000;

/**
 * Finds the person in Slack who is a user of the quiz account: a colleague with an address of the user whom the bot takes
 * for that user, too. So a result never goes to somebody who merely shares an address.
 */
export function createFindRecipient(deps: {
  users: Pick<NamedList<User>, 'names' | 'read' | 'get'>;
  api: Pick<QuizApi['users'], 'get'>;
  identity: Pick<Identity, 'userWithAddress'>;
  findColleague: FindColleague;
  /** The zone of people whose zone Slack does not tell. */
  timeZone: string;
  log: Log;
  now: () => number;
}): FindRecipient {
  const { findColleague, now } = deps;
  const pace = createPace({ ...lookupPace, now });
  const call = { priority: 'background' } as const;
  let isLearning = false;
  let listRestsUntil = -Infinity;

  return async (userId) => {
    const user = (await deps.users.names(call)).byId(userId) ?? (await userNow(userId));
    if (user === undefined) return { kind: 'nobody', reason: 'no_user' };
    if (user.suspended) return { kind: 'nobody', reason: 'suspended' };
    for (const address of addressesOf(user)) {
      const at = (await findColleague.knows(address)) ? undefined : lookupTurn(address);
      if (at !== undefined) return { kind: 'later', at };
      const colleague = await findColleague(address);
      if (colleague === undefined) continue;
      const theirs = await deps.identity.userWithAddress(address, call);
      if (theirs === undefined && (await userNow(userId)) === undefined) return { kind: 'nobody', reason: 'no_user' };
      if (theirs?.user_id !== userId) return { kind: 'nobody', reason: 'another_user' };
      return {
        kind: 'found',
        personId: colleague.personId,
        timeZone: knownTimeZone(colleague.timeZone) ?? deps.timeZone,
      };
    }
    return { kind: 'nobody', reason: 'no_person' };
  };

  /** @returns when to ask again; undefined: the address may be looked up now */
  function lookupTurn(address: string): number | undefined {
    const isCrowd = isLearning || pace.nextAt() > now() + longestQueueMs;
    if (!isCrowd || now() < listRestsUntil) return pace.turn(address);
    if (!isLearning) learnAll().catch(() => {});
    return now() + looksAgainAfterMs;
  }

  async function learnAll(): Promise<void> {
    isLearning = true;
    try {
      const users = await deps.users.get(call);
      await findColleague.learn(users.flatMap(addressesOf));
    } catch (error) {
      listRestsUntil = now() + listRestsMs;
      deps.log.warn({ error }, 'the list of people in Slack could not be read; they are looked up one by one');
    } finally {
      isLearning = false;
    }
  }

  /** The list can be older than a user, and can still have one who is deleted. */
  async function userNow(userId: string): Promise<User | undefined> {
    try {
      return await deps.users.read(userId, () => deps.api.get(userId, call));
    } catch (error) {
      if (error instanceof NotFoundError && error.isFromService) return undefined;
      throw error;
    }
  }
}

/** The addresses by which a user is looked for in Slack. */
export function addressesOf({ user_name, email_address }: Pick<User, 'user_name' | 'email_address'>): string[] {
  return [...new Set([user_name, email_address])].filter(isFullAddress);
}

/** Reads the list of users again where it is older than the question; people who are asked about together share a request. */
export function createIsMember({ users, now }: { users: Pick<NamedList<User>, 'fresh'>; now: () => number }): IsMember {
  return async (userId, groupId, since) => {
    const listed = await users.fresh({ priority: 'background' }, now() - since);
    return listed.some(
      ({ user_id, groups }) => user_id === userId && groups.some(({ group_id }) => group_id === groupId),
    );
  };
}
