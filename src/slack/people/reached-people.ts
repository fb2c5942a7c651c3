import type { WebClient } from '@slack/web-api';
import type { NamedList } from '../../directory/directory.ts';
import type { Identity } from '../../directory/identity.ts';
import type { Log } from '../../observability/log.ts';
import type { QuizApi } from '../../quiz-api/quiz-api.ts';
import type { User } from '../../quiz-api/users.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Clock } from '../../time/clock.ts';
import { createFindColleague, type FindColleague } from './colleagues.ts';
import { createWhoHasLeft } from './departed.ts';
import { createFindPerson } from './find-person.ts';
import { createManagers } from './managers.ts';
import { createOpeningTurn, type OpenDirectMessages } from './direct-messages.ts';
import { createDoNotDisturb } from './do-not-disturb.ts';
import { createListedPeople } from './listed-people.ts';
import type { NoteUsers, OwnWorkspace } from './people.ts';
import { createFindRecipient, createIsMember, addressesOf } from './recipients.ts';
import type { Reach, ReachedPerson } from '../../operations/services/people.ts';
import type { CallOptions } from '../../quiz-api/transport.ts';
import { knownTimeZone } from '../../time/wall-clock.ts';

/** How users of the account are found and written to in Slack. */
export function createReachedPeople(deps: {
  client: WebClient;
  storage: Pick<Storage, 'kv'>;
  users: NamedList<User>;
  api: Pick<QuizApi['users'], 'get'>;
  identity: Identity;
  openDirectMessages: OpenDirectMessages;
  teamId: () => string | undefined;
  own: () => Promise<OwnWorkspace>;
  note: NoteUsers;
  /** The zone of people whose zone Slack does not tell. */
  timeZone: string;
  /** The field of profiles that names a person’s manager, as `managerFieldIn` takes it. */
  managerField: string | undefined;
  log: Log;
  clock: Clock;
}) {
  const {
    storage,
    clock: { now, sleep },
  } = deps;
  const listedPeople = createListedPeople({ ...deps, sleep, now });
  const findColleague = createFindColleague({ ...deps, colleagues: storage.kv('slack-colleagues'), listedPeople });
  const findPerson = createFindPerson({ ...deps, now });
  const { quietUntil, isVisible } = createDoNotDisturb({ ...deps, now });

  return {
    findColleague,
    managers: createManagers({
      ...deps,
      field: deps.managerField,
      kept: storage.kv('slack-managers'),
      findPerson,
      now,
    }),
    reach: createReach({ ...deps, findColleague }),
    whoHasLeft: createWhoHasLeft({ ...deps, listedPeople }),
    /** Whether Slack lets the bot see do-not-disturb; undefined before it was asked. */
    seesDoNotDisturb: isVisible,
    recipients: {
      findRecipient: createFindRecipient({ ...deps, findColleague, now }),
      findPerson,
      isMember: createIsMember({ ...deps, now }),
      openingTurn: createOpeningTurn({ knows: deps.openDirectMessages.knows, now }),
      quietUntil,
    },
  };
}

/** With more unknown addresses, the list of the workspace's people costs fewer calls than a lookup of each. */
const lookedUpAtMost = 20;

/**
 * Finds the people in Slack who are users of the account, by the addresses of the users.
 *
 * @param deps.timeZone of people whose zone Slack does not tell
 */
export function createReach(deps: {
  findColleague: FindColleague;
  identity: Pick<Identity, 'userWithAddress'>;
  timeZone: string;
}): Reach {
  const { findColleague, identity } = deps;

  return async (users, { call }) => {
    const unknown: string[] = [];
    for (const address of users.flatMap(addressesOf)) if (!(await findColleague.knows(address))) unknown.push(address);
    if (unknown.length > lookedUpAtMost) await findColleague.learn(unknown);
    const reached = new Map<string, ReachedPerson>();
    for (const user of users) {
      const person = await reachedAs(user, call);
      if (person) reached.set(user.user_id, person);
    }
    return reached;
  };

  /** The first colleague with an address of the user counts; where it is another user's, the user has no person. */
  async function reachedAs(user: User, call: CallOptions): Promise<ReachedPerson | undefined> {
    for (const address of addressesOf(user)) {
      const colleague = await findColleague(address);
      if (colleague === undefined) continue;
      const theirs = await identity.userWithAddress(address, call);
      return theirs?.user_id === user.user_id
        ? { personId: colleague.personId, timeZone: knownTimeZone(colleague.timeZone) ?? deps.timeZone }
        : undefined;
    }
    return undefined;
  }
}
