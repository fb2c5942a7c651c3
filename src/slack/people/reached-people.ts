import type { WebClient } from '@slack/web-api';
import type { NamedList } from '../../directory/directory.ts';
import type { Identity } from '../../directory/identity.ts';
import type { Log } from '../../observability/log.ts';
import type { QuizApi } from '../../quiz-api/quiz-api.ts';
import type { User } from '../../quiz-api/users.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Clock } from '../../time/clock.ts';
import { createFindColleague } from './colleagues.ts';
import { createWhoHasLeft } from './departed.ts';
import { createFindPerson } from './find-person.ts';
import { createManagers } from './managers.ts';
import { createOpeningTurn, type OpenDirectMessages } from './direct-messages.ts';
import { createDoNotDisturb } from './do-not-disturb.ts';
import { createListedPeople } from './listed-people.ts';
import type { NoteUsers, OwnWorkspace } from './people.ts';
import { createReach } from './reach.ts';
import { createFindRecipient, createIsMember } from './recipients.ts';

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
