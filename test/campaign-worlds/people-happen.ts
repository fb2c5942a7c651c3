import { people as staff } from '../../src/sandbox/workspace/people.ts';
import { deleteUser } from '../../src/sandbox/quiz-service/store/users.ts';
import type { PersonPlan } from './plan.ts';
import type { World } from './world.ts';
import { userIdOf, personIdOf, personToken } from './journal.ts';

/** What happens to a person in the account and in Slack; `isBack`: it is undone. */
export async function happenToPerson(
  world: World,
  { who, kind, isBack }: { who: number; kind: PersonPlan['happens'][number]['kind']; isBack: boolean },
  plan: PersonPlan,
): Promise<void> {
  const { database, workspace, clock, journal } = world;
  const at = clock.now();
  const is = !isBack;
  switch (kind) {
    case 'suspend':
      database.run('UPDATE users SET suspended = ? WHERE user_id = ?', [Number(is), userIdOf(who)]);
      return journal.note({ kind: 'suspended', who, is, at });
    case 'delete':
      if (isBack) return;
      deleteUser(database, userIdOf(who));
      return journal.note({ kind: 'deleted', who, is, at });
    case 'rename':
      database.run('UPDATE users SET first_name = ? WHERE user_id = ?', [isBack ? 'Given' : 'Renamed', userIdOf(who)]);
      return;
    case 'leave':
      workspace.setPerson({ ...slackPerson(who, plan), isDeleted: is });
      return journal.note({ kind: 'left', who, is, at });
    case 'turn off': {
      const actor = workspace.as(personIdOf(who));
      await world.commanded(async () => {
        const home = await clock.during(actor.openHome());
        const view = home ?? (await clock.during(workspace.until(() => workspace.home(personIdOf(who)))));
        await clock.during(actor.click({ view }, 'button:turn-messages'));
      });
      return journal.note({ kind: 'turned off', who, is, at });
    }
  }
}

/** As they are in Slack while they are there. */
export function slackPerson(who: number, { timeZone, isDisturbedLate }: PersonPlan) {
  return {
    ...staff.rosa,
    id: personIdOf(who),
    name: `p${String(who).padStart(3, '0')}`,
    realName: personToken(who),
    title: 'Member',
    email: `person${who}@quiz.example`,
    timeZone,
    ...(isDisturbedLate && { doNotDisturb: { from: '16:00', to: '11:00' } }),
  };
}
