import type { Directory } from '../directory/directory.ts';
import type { Identity, Nobody } from '../directory/identity.ts';
import type { AudienceSources } from '../features/campaigns/audience-now.ts';
import { createMembersSince } from '../features/campaigns/recent-members.ts';
import { hasQuiz } from '../features/users/belonging.ts';
import type { MembersOf, Reach } from '../operations/services/people.ts';
import { membersAtMost } from '../operations/fields/mentioned-members.ts';
import type { User } from '../quiz-api/users.ts';
import type { createResponsible } from './responsible.ts';

const inBackground = { priority: 'background' } as const;

/** People who are in channels and never in the quiz account. */
const outsiders: ReadonlySet<Nobody> = new Set(['bot', 'guest', 'stranger']);
const outsidersKnownForMs = 24 * 60 * 60_000;
const outsidersAtMost = 20_000;

/** Where campaigns find out who is in their audiences. */
export function createAudiences(deps: {
  directory: Directory;
  identity: Identity;
  responsible: Pick<ReturnType<typeof createResponsible>, 'ownerOf'>;
  membersOf: MembersOf;
  reach: Reach;
  departed: AudienceSources['departed'];
  timeZone: string;
  now: () => number;
}) {
  const { directory, identity, reach, timeZone, now } = deps;
  const { users, quizGroups } = directory;
  const outsideUntil = new Map<string, number>();

  /** Whether a person was no member of the staff lately: channels are full of bots and guests. */
  function isOutsider(personId: string): boolean {
    return (outsideUntil.get(personId) ?? 0) > now();
  }

  function rememberOutsider(personId: string): void {
    outsideUntil.delete(personId);
    outsideUntil.set(personId, now() + outsidersKnownForMs);
    const [oldest] = outsideUntil.keys();
    if (outsideUntil.size > outsidersAtMost && oldest !== undefined) outsideUntil.delete(oldest);
  }

  const sources: AudienceSources = {
    users: (maxAgeMs) => (maxAgeMs === undefined ? users.get(inBackground) : users.fresh(inBackground, maxAgeMs)),
    membersSince: createMembersSince({ membersOf: deps.membersOf, atMost: membersAtMost, now }),
    async usersOf(personIds) {
      const asked = personIds.filter((personId) => !isOutsider(personId));
      await identity.learn(asked);
      const found = new Map<string, string>();
      for (const personId of asked) {
        const { user, nobody } = await identity.actorOf(personId, { fresh: false, isListed: true, call: inBackground });
        if (user !== undefined) found.set(personId, user.user_id);
        else if (nobody !== undefined && outsiders.has(nobody)) rememberOutsider(personId);
      }
      return found;
    },
    async trainedByOwner(campaign) {
      const { isAble, trains } = await deps.responsible.ownerOf(campaign);
      return isAble ? trains : undefined;
    },
    departed: deps.departed,
  };

  return {
    sources,
    async hasQuiz(quizId: string) {
      await quizGroups.load([quizId], inBackground);
      const groups = [...(quizGroups.known(quizId) ?? [])].map((group_id) => ({ group_id }));
      return (user: User) => hasQuiz(user, quizId, groups);
    },
    reach: async (some: readonly User[]) => reach(some, { call: inBackground }),
    timeZone,
  };
}
