import type { Directory } from '../directory/directory.ts';
import type { Identity, Nobody } from '../directory/identity.ts';
import type { Campaign } from '../domain/campaign.ts';
import type { AudienceSources } from '../features/campaigns/audience-now.ts';
import { createMembersSince } from '../features/campaigns/recent-members.ts';
import type { Responsible } from '../features/campaigns/responsible.ts';
import { hasQuiz } from '../features/users/belonging.ts';
import { rightsOf } from '../governance/rights/rights.ts';
import { visibilityOf } from '../governance/rights/visibility.ts';
import type { MembersOf, Reach } from '../operations/context.ts';
import { membersAtMost } from '../operations/fields/mentioned-members.ts';
import type { User } from '../quiz-api/users.ts';

const inBackground = { priority: 'background' } as const;

/** People who are in channels and never in the quiz account. */
const outsiders: ReadonlySet<Nobody> = new Set(['bot', 'guest', 'stranger']);
const outsidersKnownForMs = 24 * 60 * 60_000;
const outsidersAtMost = 20_000;

/** What campaigns ask about the people in their audiences, and about who answers for them. */
export function createAudiences(deps: {
  directory: Directory;
  identity: Identity;
  membersOf: MembersOf;
  reach: Reach;
  departed: AudienceSources['departed'];
  timeZone: string;
  now: () => number;
}) {
  const { directory, identity, reach, timeZone, now } = deps;
  const { users, quizGroups } = directory;
  const outsideUntil = new Map<string, number>();

  /** The owner of a campaign, with their rights now. */
  async function ownerOf({ ownerId, quiz }: Campaign) {
    const actor = await identity.actorOf(ownerId, { fresh: false, call: inBackground });
    const visibility = visibilityOf(actor, quizGroups);
    const isAble = rightsOf(actor).has('edit_quizzes') && visibility.quiz({ quiz_id: quiz.id });
    return { userId: actor.user?.user_id, isAble, visibility };
  }

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
      const { isAble, visibility } = await ownerOf(campaign);
      return isAble ? visibility.trains : undefined;
    },
    departed: deps.departed,
  };

  return {
    async owner(campaign: Campaign): Promise<Responsible['owner']> {
      const { userId, isAble } = await ownerOf(campaign);
      return { userId, isAble };
    },
    audiences: {
      sources,
      async hasQuiz(quizId: string) {
        await quizGroups.load([quizId], inBackground);
        const groups = [...(quizGroups.known(quizId) ?? [])].map((group_id) => ({ group_id }));
        return (user: User) => hasQuiz(user, quizId, groups);
      },
      reach: (some: readonly User[]) => reach(some, { call: inBackground }),
      timeZone,
    },
  };
}
