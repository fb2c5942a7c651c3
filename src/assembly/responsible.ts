import type { Directory } from '../directory/directory.ts';
import type { Identity } from '../directory/identity.ts';
import type { Campaign } from '../domain/campaign.ts';
import { rightsOf } from '../governance/rights/rights.ts';
import { visibilityOf } from '../governance/rights/visibility.ts';

/** Who may see the results of a campaign, and so answer for it. */
export function createResponsible({
  identity,
  directory: { quizGroups },
}: {
  identity: Identity;
  directory: Pick<Directory, 'quizGroups'>;
}) {
  async function responsibleFor(personId: string, quiz: { id: string }, how: Parameters<Identity['actorOf']>[1]) {
    const actor = await identity.actorOf(personId, how);
    const visibility = visibilityOf(actor, quizGroups);
    const isAble = rightsOf(actor).has('edit_quizzes') && visibility.quiz({ quiz_id: quiz.id });
    return { userId: actor.user?.user_id, isAble, trains: visibility.trains };
  }

  return {
    /** The owner of a campaign, with their rights as they were known lately. */
    ownerOf: async ({ ownerId, quiz }: Pick<Campaign, 'ownerId' | 'quiz'>) =>
      responsibleFor(ownerId, quiz, { fresh: false, call: { priority: 'background' } }),
  };
}
